import { outdated, withComingWindows } from "#db/coming-windows";
import { dashboard } from "#db/dashboard";
import { pageOf } from "#db/page";
import type { DashboardPage, DashboardTotals } from "#domain/dashboard-page";
import type { FirstSteps } from "#domain/first-steps";
import { listQuery } from "#domain/list-query";
import type { AreaSummary } from "#domain/records";
import { visibleDepts } from "#domain/visibility";
import { parse } from "#worker/services/parse";
import { found } from "#worker/services/refuse";
import { permit, type Scope } from "#worker/services/scope";

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
    page: (query: unknown): Promise<DashboardPage> => {
      permit(user, "dashboard.see");
      const now = scope.now().toISOString();
      const depts = visibleDepts(user);
      return pageOf(parse(listQuery, query).page, (limit, offset) =>
        withComingWindows(db, org_id, now, async () => {
          const [rows, [sums], [has], old] = await db.batch([
            repository.areas(depts, now, { limit, offset }),
            repository.totals(depts, now),
            repository.has(),
            outdated(db, org_id, now),
          ]);
          const { areas = 0, totals } = totalsOf(sums);
          return { old, found: { rows, counts: [{ total: areas, all: areas }], totals, steps: stepsOf(has) } };
        }),
      );
    },

    /** The summary of one area. Refuses with `not_found`. */
    find: async (id: string): Promise<AreaSummary> => {
      const [summary] = await summaries(id);
      return found(summary, "Area");
    },
  };
}

type Sums = Awaited<ReturnType<ReturnType<typeof dashboard>["totals"]>>[number];
type Has = Awaited<ReturnType<ReturnType<typeof dashboard>["has"]>>[number];

const NOTHING: DashboardTotals = {
  hubs_online: 0,
  hubs_total: 0,
  devices_on: 0,
  devices_total: 0,
  problems: 0,
  next_event: null,
};

function totalsOf(sums: Sums | undefined): { areas?: number; totals: DashboardTotals } {
  if (!sums) return { totals: NOTHING };
  const { areas, window_start_at, window_end_at, then_start_at, ...totals } = sums;
  const [next_event = null] = [window_start_at, window_end_at, then_start_at].flatMap((at) => at ?? []).toSorted();
  return { areas, totals: { ...totals, next_event } };
}

/** Of a city that has scheduled something, nothing is left to be done. */
function stepsOf(has: Has | undefined): FirstSteps | null {
  if (!has || has.schedule) return null;
  return { area: has.area === 1, hub: has.hub === 1, device: has.device === 1, schedule: false };
}
