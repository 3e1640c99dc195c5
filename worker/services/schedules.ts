import { withNights } from "#db/nights";
import { schedules } from "#db/schedules";
import { comingWindows } from "#domain/schedule/coming-windows";
import { Refusal } from "#domain/errors";
import { isObject } from "#domain/fields/json";
import { fromLocalInput } from "#domain/time/display";
import { scheduleQuery, type PlacedPage, type ScheduleQuery } from "#domain/lists/list-query";
import { lastEnd, occurrences } from "#domain/schedule/recurrence";
import type { ListedSchedule, Schedule } from "#domain/records/records";
import { previewQuery, type SchedulePreview } from "#domain/forecast/preview-schema";
import { deviceScheduleInput, scheduleInput, scheduleProblem } from "#domain/schedule/schedule-schema";
import { columnsOf } from "#domain/schedule/target";
import { visibleDepts } from "#domain/records/visibility";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { once } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { readAnew } from "#worker/services/read-anew";
import { permitLightsOf } from "#worker/services/targets";
import { previewOf } from "#worker/services/preview";
import { found, refuseProblem } from "#worker/services/refuse";
import { rightsAt } from "#worker/services/rights";
import { nightsOf, withKeptSun } from "#worker/services/schedule-nights";
import { setSkipped, type SkipVerb } from "#worker/services/schedule-skips";
import { chooseTarget } from "#worker/services/schedule-target";
import { permit, type Scope } from "#worker/services/scope";
import { settingsService } from "#worker/services/settings";
import { DAY_MS } from "#domain/time/units";
import { toIso } from "#domain/time/to-iso";
import { dateAfter } from "#domain/time/date-after";

/** A schedule is seen by whoever sees one of its lights, and changed by whoever may write all of them. */
export function scheduleService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = schedules(db, org_id, () => scope.now().toISOString());
  const find = async (id: string): Promise<Schedule> =>
    found(await repository.find(id, visibleDepts(user)), "Schedule");
  const saved = async (id: string): Promise<Schedule> => found(await repository.find(id, null), "Schedule");

  const rights = (rows: Pick<Schedule, "target">[]) =>
    rightsAt(
      scope,
      "schedule.save",
      rows.map(({ target }) => target),
    );

  const cityZone = async () => (await settingsService(scope).find()).APP_TIMEZONE;

  /** A schedule to change: visible, and for lights that the person may write, all of them. */
  async function findWritable(id: string): Promise<Schedule> {
    const schedule = await find(id);
    await permitLightsOf(scope, schedule.target);
    return schedule;
  }

  async function findOpen(id: string): Promise<Schedule> {
    const schedule = await findWritable(id);
    if (schedule.status !== "scheduled") throw closed(schedule, "edited");
    return schedule;
  }

  async function parseSchedule(input: unknown, before?: Schedule, wasRead = false) {
    const isOfDevice = before === undefined || before.target.type === "device";
    const schema = isOfDevice && !namesTarget(input) ? deviceScheduleInput : scheduleInput;
    const { area_id: asked_area, device_id, target: asked, ...values } = parse(schema, withKeptSun(input, before));
    const place = { area_id: asked_area, device_id, target: asked, wasRead };
    const chosen = await chooseTarget(scope, place, before);
    const times = {
      rrule: values.rrule === undefined ? (before?.rrule ?? null) : values.rrule,
      timezone: values.timezone ?? before?.timezone ?? (await cityZone()),
    };
    const { exdates: _, ...fields } = values;
    const { stored, recurring } = await nightsOf(scope, values, times, chosen.area_id, before);
    const schedule = { ...fields, ...times, ...stored };
    const { skips, ...rest } = schedule;
    const now = scope.now();
    refuseProblem(scheduleProblem(recurring, now));
    const end = lastEnd(recurring);
    const last_end_at = end === null ? null : toIso(end);
    const { target, area_id, isKept, made } = chosen;
    const columns = columnsOf(target);
    const target_since = isKept || before === undefined ? undefined : now.toISOString();
    return {
      made,
      lights: asked && "device_ids" in asked ? { device_ids: asked.device_ids } : { type: target.type, id: target.id },
      recurring,
      values: { ...schedule, ...columns, target_since, last_end_at, ...comingWindows(recurring, now.getTime()) },
      /** As the audit log tells it. */
      told: {
        ...rest,
        ...(skips && { exdates: skips.map(({ date }) => date) }),
        last_end_at,
        area_id,
        device_id: columns.device_id,
        device_name: target.name,
        target,
      },
    };
  }

  /** Other nights that are skipped at the same moment stay so. */
  function setNight(id: string, input: unknown, verb: SkipVerb, if_match?: number): Promise<Schedule> {
    return once(scope, { call: `${verb} of schedule ${id}`, input, again: saved }, (remember) =>
      readAnew("schedule", if_match, async () => {
        await setSkipped(scope, await findOpen(id), input, verb, { if_match, more: remember(id) });
        return saved(id);
      }),
    );
  }

  /** The schedules with a window on a day, which SQL cannot compute from their rules, in the order of their page. */
  async function idsOfDay(asked: ScheduleQuery, date: string): Promise<string[]> {
    const [start, end] = await dayOf(date);
    const plans = await repository.within(asked, visibleDepts(user), toIso(start), toIso(end));
    const shown = (await withNights(db, org_id, plans)).filter((plan) => occurrences(plan, start, end).length > 0);
    return shown.map(({ id }) => id);
  }

  /** A day in the organization's zone: its first instant and that of the next day, in epoch ms. */
  async function dayOf(date: string): Promise<[number, number]> {
    const zone = await cityZone();
    const next = dateAfter(date, 1);
    const start = fromLocalInput({ date, time: "00:00" }, zone) ?? 0;
    return [start, fromLocalInput({ date: next, time: "00:00" }, zone) ?? start + DAY_MS];
  }

  return {
    list: (): Promise<Schedule[]> => {
      permit(user, "schedule.see");
      return repository.list(visibleDepts(user));
    },

    /**
     * The page for a screen's query string, with the status as of now and what the nights depend on beside the record:
     * positions, calendars, skipped dates with their reasons, whether the area is active.
     */
    page: async (query: unknown): Promise<PlacedPage<ListedSchedule>> => {
      permit(user, "schedule.see");
      const asked = parse(scheduleQuery, query);
      const depts = visibleDepts(user);
      const page = asked.on
        ? await repository.pageAmong(await idsOfDay(asked, asked.on), asked, depts)
        : await repository.page(asked, depts);
      const [rows, rightsOf] = await Promise.all([withNights(db, org_id, page.rows), rights(page.rows)]);
      return { ...page, rows: rows.map((row) => ({ ...row, may_write: rightsOf(row.target).may_write })) };
    },

    /** One of them, as in a page. Refuses with `not_found`. */
    find: async (id: string): Promise<ListedSchedule> => {
      permit(user, "schedule.see");
      const [schedule, rows] = await Promise.all([find(id), repository.nights(id)]);
      const [[nights], rightsOf] = await Promise.all([withNights(db, org_id, rows), rights([schedule])]);
      return { ...found(nights, "Schedule"), ...schedule, may_write: rightsOf(schedule.target).may_write };
    },

    /** Refuses with `forbidden` and `invalid`. */
    create: async (input: unknown): Promise<Schedule> => {
      permit(user, "schedule.save");
      return once(scope, { call: "schedule", input, again: saved }, async (remember) => {
        const { made, values, told } = await parseSchedule(input);
        const id = scope.newId();
        await commit(scope, "schedule", [
          ...made,
          repository.create(id, values),
          audited(scope, "create", "schedule", id, { after: told }),
          ...remember(id),
        ]);
        return saved(id);
      });
    },

    /** What saving it would come to; writes nothing. Refuses as `create` does, of an edited one (`id`) as `save` does. */
    preview: async (input: unknown, query: unknown = {}): Promise<SchedulePreview> => {
      permit(user, "schedule.save");
      const { id } = parse(previewQuery, query);
      const before = id === undefined ? undefined : await findWritable(id);
      if (before && before.status !== "scheduled") throw closed(before, "edited");
      const { values, recurring, lights } = await parseSchedule(input, before, true);
      const { target_since } = values;
      const created_at = before?.created_at ?? scope.now().toISOString();
      return previewOf(scope, {
        schedule: {
          ...values,
          ...recurring,
          id: before?.id ?? "",
          created_at,
          ...(target_since && { since: Date.parse(target_since) }),
        },
        lights,
      });
    },

    /** Changes future occurrences and replays none. Refuses with `forbidden`, `not_found`, `invalid` and `conflict`. */
    save: async (id: string, input: unknown, if_match?: number): Promise<Schedule> => {
      permit(user, "schedule.save");
      return once(scope, { call: `save of schedule ${id}`, input, again: saved }, (remember) =>
        readAnew("schedule", if_match, async () => {
          const before = await findOpen(id);
          const { made, values, told } = await parseSchedule(input, before, if_match !== undefined);
          await commit(scope, "schedule", [
            ...made,
            repository.save(id, values, if_match ?? before.version),
            audited(scope, "update", "schedule", id, { before, after: { ...before, ...told } }),
            ...remember(id),
          ]);
          return saved(id);
        }),
      );
    },

    /**
     * Leaves out one night; a light that it keeps on goes off. Refuses with `forbidden`, `not_found`, `invalid` and
     * `conflict`.
     */
    skip: async (id: string, input: unknown, if_match?: number): Promise<Schedule> => {
      permit(user, "schedule.save");
      return setNight(id, input, "skip", if_match);
    },

    /** Lets a skipped night happen after all. Refuses as `skip` does. */
    unskip: async (id: string, input: unknown, if_match?: number): Promise<Schedule> => {
      permit(user, "schedule.save");
      return setNight(id, input, "unskip", if_match);
    },

    /** A light that it keeps on goes off. Refuses with `forbidden`, `not_found` and `conflict`. */
    cancel: async (id: string, if_match?: number): Promise<Schedule> => {
      permit(user, "schedule.cancel");
      return once(scope, { call: `cancellation of schedule ${id}`, input: null, again: saved }, async (remember) => {
        const before = await findWritable(id);
        if (before.status !== "scheduled") throw closed(before, "canceled");
        await commit(scope, "schedule", [
          repository.cancel(id, if_match),
          audited(scope, "cancel", "schedule", id, { before, after: { ...before, status: "canceled" } }),
          ...remember(id),
        ]);
        return saved(id);
      });
    },
  };
}

function namesTarget(input: unknown): boolean {
  return isObject(input) && Boolean(input["target"]);
}

function closed({ status }: Schedule, verb: "edited" | "canceled"): Refusal {
  const now = status === "done" ? "completed" : "canceled";
  return new Refusal("conflict", `This schedule is already ${now} and can't be ${verb}`);
}
