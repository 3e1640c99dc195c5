import { alarms } from "#db/alarms";
import { areas } from "#db/areas";
import { departments } from "#db/departments";
import { devices } from "#db/devices";
import { workorders } from "#db/workorders";
import type { Alarm, AlarmPage } from "#domain/alarms/alarm-records";
import {
  acknowledgeAllInput,
  alarmQuery,
  alarmScreenQuery,
  assignInput,
  type AlarmQuery,
  type AlarmScreenQuery,
} from "#domain/alarms/alarm-schema";
import { awayFor } from "#domain/alarms/attention-words";
import { alarmSentence, workorderWords, type AlarmFacts } from "#domain/alarms/alarm-words";
import { isRefusal, Refusal } from "#domain/errors";
import { mayWriteInDept, readOnlyDepts } from "#domain/organization/permissions";
import type { Workorder } from "#domain/records/records";
import { visibleDepts } from "#domain/records/visibility";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { once } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { found, invalid, judgeAnew, permitRecord } from "#worker/services/refuse";
import { permit, type Scope } from "#worker/services/scope";
import { settingsService } from "#worker/services/settings";

/** An alarm as D1 has it, without its sentence. */
type Stored = Omit<Alarm, "state" | "message"> & Pick<AlarmFacts, "what" | "why" | "since">;

/** What is wrong, who sees to it, and since when it is over. Alarms of a light in a hidden department do not exist. */
export function alarmService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = alarms(db, org_id);
  const depts = visibleDepts(user);
  const find = async (id: string): Promise<Stored> => found(await repository.find(id, depts), "Alarm");
  const zoneOf = async () => (await settingsService(scope).find()).APP_TIMEZONE;
  const saved = async (id: string): Promise<Alarm> => told(scope, await find(id), await zoneOf());

  async function page(query: AlarmQuery & Partial<AlarmScreenQuery>): Promise<AlarmPage> {
    const [zone, { rows, of, silent_hubs, ...asked }] = await Promise.all([zoneOf(), repository.page(query, depts)]);
    const { open, acknowledged, over, told_until } = of;
    return {
      ...asked,
      rows: rows.map((row) => told(scope, row, zone)),
      counts: { open, acknowledged, over },
      told_until,
      silent_hubs: silent_hubs
        .map(({ last_seen, ...hub }) => ({ ...hub, message: awayFor(last_seen, scope.now().getTime()) }))
        .toSorted((a, b) => b.alarms - a.alarms),
    };
  }

  /** The alarm, if it is visible and this person may write in its department. */
  async function findMine(id: string): Promise<Stored> {
    permit(user, "workorder.save");
    const alarm = await find(id);
    permitRecord(mayWriteInDept(user, alarm.dept_id));
    return alarm;
  }

  return {
    /** A page of open, acknowledged or past alarms, the latest first. Refuses with `forbidden` and `invalid`. */
    list: async (query: unknown = {}): Promise<Omit<AlarmPage, "rows" | "all" | "silent_hubs"> & { data: Alarm[] }> => {
      permit(user, "alarm.see");
      const { rows: data, all: _, silent_hubs: __, ...more } = await page(parse(alarmQuery, query));
      return { data, ...more };
    },

    /** The page for a screen's query string, without the alarms that a silent hub explains, or with one hub's only. */
    page: (query: unknown): Promise<AlarmPage> => {
      permit(user, "alarm.see");
      return page(parse(alarmScreenQuery, query));
    },

    /** How many are open and nobody has seen to; one indexed count. */
    openCount: async (): Promise<number> => {
      permit(user, "alarm.see");
      const [row] = await repository.openCount(depts);
      return row?.open ?? 0;
    },

    /**
     * Says that somebody has seen it; who was first stays. Refuses with `forbidden`, `not_found` and `conflict`.
     */
    acknowledge: async (id: string, if_match?: number): Promise<Alarm> => {
      const before = await findMine(id);
      const by = { at: scope.now().toISOString(), email: user.email };
      if (before.acknowledged_at === null) {
        const after = { acknowledged_at: by.at, acknowledged_by: by.email, version: before.version };
        const written = commit(scope, "alarm", [
          repository.acknowledge(id, by, if_match),
          audited(scope, "acknowledge", "alarm", id, { before: changeable(before), after }),
        ]);
        // Two pressed at once: it is acknowledged all the same.
        await written.catch(async (caught: unknown) => {
          if (!isConflict(caught) || (await find(id)).acknowledged_at === null) throw caught;
        });
      }
      return saved(id);
    },

    /**
     * The same of all open ones that the list had, and that this person sees and may write; answers how many. One audit
     * entry. Refuses with `forbidden` and `invalid`.
     */
    acknowledgeAll: async (input: unknown): Promise<number> => {
      permit(user, "workorder.save");
      const { told_until, area_id } = parse(acknowledgeAllInput, input);
      const which = { told_until, area_id, read_only: readOnlyDepts(user) };
      const [{ seen } = { seen: 0 }] = await repository.countSeen(which, depts);
      const by = { at: scope.now().toISOString(), email: user.email };
      await commit(scope, "alarm", [
        repository.acknowledgeSeen(which, depts, by),
        audited(scope, "acknowledge_all", "alarm", null, { after: { alarms: seen, area_id, told_until } }),
      ]);
      return seen;
    },

    /** Says who sees to it, or nobody. Refuses with `forbidden`, `not_found`, `invalid` and `conflict`. */
    assign: async (id: string, input: unknown, if_match?: number): Promise<Alarm> => {
      const before = await findMine(id);
      return once(scope, { call: `assignment of alarm ${id}`, input, again: saved }, async (remember) => {
        const { assigned_to } = parse(assignInput, input);
        if (assigned_to === undefined)
          throw invalid("assigned_to", "Assignee is required: a person, or null for nobody");
        const refuseStranger = async () => {
          if (assigned_to === null || (await workorders(db, org_id).findAssignee(assigned_to))) return;
          throw invalid("assigned_to", "Assignee not found");
        };
        await refuseStranger();
        await commit(scope, "alarm", [
          repository.assign(id, assigned_to, if_match),
          audited(scope, "assign", "alarm", id, {
            before: changeable(before),
            after: { assigned_to, version: before.version },
          }),
          ...remember(id),
        ]).catch(judgeAnew(refuseStranger));
        return saved(id);
      });
    },

    /**
     * A work order with everything filled in; a second press answers the same one. Refuses with `forbidden`, `not_found`
     * and `conflict`.
     */
    makeWorkorder: async (id: string): Promise<Workorder> => {
      const alarm = await findMine(id);
      const repository = workorders(db, org_id);
      const known = await repository.findOfAlarm(id);
      if (known) return seen(known.id);
      const values = { ...workorderWords(alarm, await zoneOf()), ...(await placeOf(alarm)), alarm_id: id };
      const workorder_id = scope.newId();
      const written = commit(scope, "workorder", [
        repository.create(workorder_id, { ...values, created_by: user.id }),
        audited(scope, "create", "workorder", workorder_id, { after: values }),
      ]).then(() => workorder_id);
      return seen(
        await written.catch(async (caught: unknown) => {
          const other = isConflict(caught) ? await repository.findOfAlarm(id) : undefined;
          if (!other) throw caught;
          return other.id;
        }),
      );
    },
  };

  /** Whoever made it may have moved it to another department since. */
  async function seen(workorder_id: string): Promise<Workorder> {
    const workorder = await workorders(db, org_id).find(workorder_id, depts);
    if (!workorder)
      throw new Refusal("conflict", "This alarm has a work order already, in a department that you do not see");
    return workorder;
  }

  /** The light, the area and the department, as far as they still exist. */
  async function placeOf({ device_id, area_id, dept_id }: Stored) {
    const [device, area, department] = await Promise.all([
      device_id === null ? undefined : devices(db, org_id).find(device_id, depts),
      area_id === null ? undefined : areas(db, org_id).find(area_id),
      dept_id === null ? undefined : departments(db, org_id).find(dept_id),
    ]);
    return {
      device_id: device?.id ?? null,
      area_id: device?.area_id ?? area?.id ?? null,
      dept_id: department?.id ?? null,
    };
  }
}

/** With its state and its sentence in the city's time. */
export function told({ now }: Pick<Scope, "now">, { what, why, since, ...alarm }: Stored, zone: string): Alarm {
  const { over_at, acknowledged_at } = alarm;
  const live = acknowledged_at === null ? "open" : "acknowledged";
  const message = alarmSentence({ what, why, since, over_at }, zone, now().getTime());
  return { ...alarm, state: over_at === null ? live : "over", message };
}

/** What people change of it, and its sentence's words, for the activity log. */
function changeable({ what, why, acknowledged_at, acknowledged_by, assigned_to, version }: Stored) {
  return { what, why, acknowledged_at, acknowledged_by, assigned_to, version };
}

function isConflict(caught: unknown): boolean {
  return isRefusal(caught) && caught.code === "conflict";
}
