import { z } from "zod";
import { areas } from "#db/areas";
import { lightsAt } from "#db/lights-at";
import { groups } from "#db/groups";
import { withNights } from "#db/nights";
import { areaChoices } from "#db/page";
import type { LightPlace } from "#db/schedule-targets";
import { tonight } from "#db/tonight";
import { week } from "#db/week";
import type { Foreseen, Week, WeekSchedule, WeekWindow } from "#app/week/week";
import { weekFrame, type WeekFrame } from "#app/week/week-frame";
import { causeOf } from "#domain/errors";
import { describeRule } from "#domain/schedule/describe-rule";
import { wordsByZone } from "#domain/schedule/words-by-zone";
import type { Segment } from "#domain/forecast/forecast-segments";
import { maybeId } from "#domain/lists/list-query";
import type { Area } from "#domain/records/records";
import { MOST_DAYS_AHEAD } from "#domain/tonight/tonight-frame";
import { visibleDepts } from "#domain/records/visibility";
import { log } from "#worker/log";
import { parse } from "#worker/services/parse";
import { found } from "#worker/services/refuse";
import { rightsAt } from "#worker/services/rights";
import { permit, type Scope } from "#worker/services/scope";
import { settingsService } from "#worker/services/settings";
import { shadesOf } from "#worker/services/tonight-night";
import { cutsOf, windowsOf } from "#worker/services/week-windows";
import { DAY_MS } from "#domain/time/units";
import { toIso } from "#domain/time/to-iso";

/** As many lights as the engine foresees in one call, and as many schedules as can be told apart in a week. */
const MOST_LIGHTS = 200;
const MOST_SCHEDULES = 60;

/** The screen's query string; unknown values are ignored. */
const weekQuery = z.object({ area: maybeId, group: maybeId, week: z.string().optional().catch(undefined) });

/** The week of an area or a group: what its schedules come to, night by night. */
export function weekService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = week(db, org_id);
  const depts = visibleDepts(user);

  /** The place's schedules that may have a window in the week, with what their nights depend on. */
  async function plansIn(place: LightPlace, { from, to }: WeekFrame) {
    const rows = await repository.schedules(place, depts, {
      start: toIso(from),
      end: toIso(to),
      now: scope.now().toISOString(),
      limit: MOST_SCHEDULES + 1,
    });
    const plans = await withNights(db, org_id, rows.slice(0, MOST_SCHEDULES));
    return { plans, more: rows.length - plans.length };
  }

  return {
    /**
     * The week of a query string's date, area and group; by default this one, of the first area in which something is
     * scheduled that the person sees. Without the engine it tells the plan alone. Refuses with `not_found`.
     */
    page: async (query: unknown): Promise<Week> => {
      permit(user, "schedule.see");
      const asked = parse(weekQuery, query);
      const now = scope.now();
      const [guardrails, choices, first] = await Promise.all([
        settingsService(scope).guardrails(),
        areaChoices(db, org_id),
        asked.area === undefined ? repository.firstArea(now.toISOString(), depts) : asked.area,
      ]);
      const { zone } = guardrails;
      const frame = weekFrame(asked.week, zone, now.getTime());
      const told = { frame, now: now.getTime(), zone, areas: choices };
      if (first === undefined) return { ...told, ...NOTHING };
      const area = found(await areas(db, org_id).find(first), "Area");
      const group = asked.group === undefined ? null : await groupIn(scope, asked.group, area);
      const place = group ? { group_id: group.id } : { area_id: area.id };
      const [{ plans, more }, named, ids, visible, all, shades] = await Promise.all([
        plansIn(place, frame),
        repository.groups(area.id, depts),
        group?.device_ids ?? lightsAt(db, org_id).idsOfArea(area.id, depts, { from: "", limit: MOST_LIGHTS + 1 }),
        // Of whom nothing is hidden there is nothing to compare.
        depts && lightsAt(db, org_id).countIn(area.id, depts),
        depts && lightsAt(db, org_id).countIn(area.id, null),
        shadesOf(scope, { frame, guardrails }, [area]),
      ]);
      const windows = plans.flatMap((plan) => windowsOf(plan, frame.from, frame.to));
      const seen = new Set(windows.map(({ schedule_id }) => schedule_id));
      const shown = plans.filter((plan) => seen.has(plan.id));
      const [ahead, makers, rightsOf] = await Promise.all([
        aheadOf(scope, frame, windows, ids),
        seen.size === 0 ? [] : tonight(db, org_id).schedules([...seen]),
        rightsAt(
          scope,
          "schedule.save",
          shown.map(({ target }) => target),
        ),
      ]);
      const who = new Map(makers.map((row) => [row.id, row.who]));
      const ofPlace = new Map(shown.map((plan) => [plan.id, plan.lights]));
      return {
        ...told,
        area: { id: area.id, name: area.name, active: area.active },
        group: group && { id: group.id, name: group.name },
        groups: named,
        lights: group || ids.length <= MOST_LIGHTS ? ids.length : await lightsAt(db, org_id).countIn(area.id, depts),
        hides: visible !== all,
        schedules: shown.map((plan): WeekSchedule => ({
          id: plan.id,
          title: plan.title,
          target: { type: plan.target.type, id: plan.target.id, name: plan.target.name },
          lights: plan.lights,
          start_sun: plan.start_sun?.event ?? null,
          end_sun: plan.end_sun?.event ?? null,
          repeats: plan.rrule !== null,
          is_open: plan.is_open === 1,
          may_write: rightsOf(plan.target).may_write,
          words: wordsByZone({ words: describeRule(plan), timezone: plan.timezone }, zone),
          who: who.get(plan.id) ?? null,
        })),
        more,
        windows: windows.map((window) => {
          if (window.skipped || window.end <= told.now) return window;
          const lights = ofPlace.get(window.schedule_id) ?? 0;
          return { ...window, ...cutsOf(window, ahead.byDevice, { lights, isWhole: ahead.isWhole }) };
        }),
        shade: shades.get(area.id) ?? [],
        foreseen: ahead.foreseen,
      };
    },
  };
}

const NOTHING = {
  area: null,
  group: null,
  groups: [],
  lights: 0,
  hides: false,
  schedules: [],
  more: 0,
  windows: [],
  shade: [],
  foreseen: "all",
} as const satisfies Partial<Week>;

/** A named group of the area; null for one of another area, as after another area was chosen. */
async function groupIn({ db, org_id, user }: Scope, id: string, area: Area) {
  const group = found(await groups(db, org_id).find(id, visibleDepts(user)), "Group");
  if (group.area_id !== area.id || group.name === null) return null;
  return { id, name: group.name, device_ids: group.device_ids };
}

/** `isWhole`: every light was looked at, be it not for the whole week. */
type Ahead = { byDevice: Map<string, Segment[]>; isWhole: boolean; foreseen: Foreseen };

const NOTHING_AHEAD = { byDevice: new Map<string, Segment[]>(), isWhole: false };

/** What the engine foresees of the lights, where something is still to come. Past windows are told by the plan alone. */
async function aheadOf(
  { scheduler, org_id, now: clock }: Scope,
  frame: WeekFrame,
  windows: readonly WeekWindow[],
  ids: string[],
): Promise<Ahead> {
  const now = clock().getTime();
  const [from, to] = [Math.max(frame.from, now), Math.min(frame.to, now + MOST_DAYS_AHEAD * DAY_MS)];
  const isToCome = windows.some(({ end, skipped }) => end > now && !skipped);
  if (!isToCome || ids.length === 0) return { ...NOTHING_AHEAD, foreseen: "all" };
  if (to <= from) return { ...NOTHING_AHEAD, foreseen: "beyond" };
  const device_ids = ids.slice(0, MOST_LIGHTS);
  try {
    const { data, next } = await scheduler.forecast({ org_id, device_ids, from, to });
    const isWhole = next === null && ids.length <= MOST_LIGHTS;
    return {
      byDevice: new Map(data.map(({ device_id, segments }) => [device_id, segments])),
      isWhole,
      foreseen: to < frame.to ? "beyond" : isWhole ? "all" : "some",
    };
  } catch (caught) {
    log("error", "scheduler.forecast_failed", { org_id, ...causeOf(caught) });
    return { ...NOTHING_AHEAD, foreseen: "away" };
  }
}
