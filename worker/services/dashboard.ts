import { outdated, withComingWindows } from "#db/coming-windows";
import { closures } from "#db/closures";
import { dashboard } from "#db/dashboard";
import { pageOf } from "#db/page";
import { places } from "#db/places";
import type { DashboardPage, DashboardTotals, NextUp } from "#domain/records/dashboard-page";
import { darkHoursSentence } from "#domain/guardrails/limits-now";
import type { FirstSteps } from "#domain/records/first-steps";
import { areaQuery, listQuery } from "#domain/lists/list-query";
import type { AreaSummary } from "#domain/records/records";
import { visibleDepts } from "#domain/records/visibility";
import { parse } from "#worker/services/parse";
import { found } from "#worker/services/refuse";
import { withMayWrite } from "#worker/services/rights";
import { permit, type Scope } from "#worker/services/scope";
import { settingsService } from "#worker/services/settings";

/** More than a city has; a map of more is slow to draw and to load again. */
const MOST_PLACES = 2_000;

/** An area on the map: where it is (degrees; null without a position), and what its visible lights come to. */
export type MapArea = Awaited<ReturnType<ReturnType<typeof places>["list"]>>[number];

/** What each area has, is doing and will do next, as far as the person's departments let them see it. */
export function dashboardService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = dashboard(db, org_id);

  async function summaries(id?: string): Promise<AreaSummary[]> {
    permit(user, "dashboard.see");
    const now = scope.now().toISOString();
    return withComingWindows(db, org_id, now, async () => {
      const areas = repository.areas(visibleDepts(user), now, { id });
      const [found, old] = await db.batch([areas, outdated(db, org_id, now)]);
      return { old, found };
    });
  }

  return {
    /** One summary for each area, by name. */
    list: (): Promise<AreaSummary[]> => summaries(),

    /** The page that a screen's query string asks for, and what all areas come to. */
    page: async (query: unknown): Promise<DashboardPage> => {
      permit(user, "dashboard.see");
      const now = scope.now().toISOString();
      const depts = visibleDepts(user);
      const { page } = parse(listQuery, query);
      const [rules, asked] = await Promise.all([
        settingsService(scope).guardrails(),
        pageOf(page, (limit, offset) =>
          withComingWindows(db, org_id, now, async () => {
            const [rows, [sums], coming, [has], closed, old] = await db.batch([
              repository.areas(depts, now, { limit, offset }),
              repository.totals(depts),
              repository.next(depts, now),
              repository.has(),
              closures(db, org_id).countInForce(now, depts),
              outdated(db, org_id, now),
            ]);
            const { areas, own_hours, ...totals } = sums ?? NOTHING;
            const limits = { own_hours, closures: closed[0]?.closures ?? 0 };
            const told = { totals, limits, ...nextOf(coming), steps: stepsOf(has) };
            return { old, found: { rows, counts: [{ total: areas, all: areas }], ...told } };
          }),
        ),
      ]);
      const { next_event, limits, totals, ...more } = asked;
      const dark = darkHoursSentence(rules, scope.now().getTime());
      const rows = await withMayWrite(scope, "schedule.save", more.rows, ({ id }) => ({ type: "area", id }));
      return { ...more, rows, totals: { ...totals, next_event }, limits: { ...limits, dark } };
    },

    /**
     * The areas that a screen's query string asks for, with their places, by name: in one round trip, at most 2,000. `total`
     * counts those that it finds, `all` every area.
     */
    places: async (query: unknown): Promise<{ areas: MapArea[]; total: number; all: number }> => {
      permit(user, "dashboard.see");
      const asked = parse(areaQuery, query);
      const city = places(db, org_id);
      const [areas, [counts]] = await db.batch([city.list(asked, visibleDepts(user), MOST_PLACES), city.count(asked)]);
      return { areas, total: counts?.total ?? 0, all: counts?.all ?? 0 };
    },

    /** The summary of one area. Refuses with `not_found`. */
    find: async (id: string): Promise<AreaSummary> => {
      const [summary] = await summaries(id);
      return found(summary, "Area");
    },
  };
}

type Coming = Awaited<ReturnType<ReturnType<typeof dashboard>["next"]>>;
type Has = Awaited<ReturnType<ReturnType<typeof dashboard>["has"]>>[number];

const NOTHING: Omit<DashboardTotals, "next_event"> & { areas: number; own_hours: number } = {
  areas: 0,
  areas_active: 0,
  hubs_online: 0,
  hubs_away: 0,
  hubs_total: 0,
  devices_on: 0,
  devices_total: 0,
  problems: 0,
  unknown: 0,
  own_hours: 0,
};

/** The soonest of what comes, and all that comes at that instant. */
function nextOf(coming: Coming): { next_event: string | null; next: NextUp[] } {
  const [next_event = null] = coming.map(({ at }) => at).toSorted();
  const due = coming.filter(({ at }) => at === next_event);
  return { next_event, next: due.map(({ title, place, begins }) => ({ title, place, begins: begins === 1 })) };
}

/** Of a city that has scheduled something, nothing is left to be done. */
function stepsOf(has: Has | undefined): FirstSteps | null {
  if (!has || has.schedule) return null;
  return { area: has.area === 1, hub: has.hub === 1, device: has.device === 1, schedule: false };
}
