import { outdated, withComingWindows } from "#db/coming-windows";
import { dashboard } from "#db/dashboard";
import type { FirstSteps } from "#domain/first-steps";
import type { AreaSummary } from "#domain/records";
import { visibleDepts } from "#domain/visibility";
import { found } from "#worker/services/refuse";
import { permit, type Scope } from "#worker/services/scope";

/** The areas' summaries, with the devices that the person's departments may see. */
export function dashboardService(scope: Scope) {
  const { user, org_id, db } = scope;

  async function summaries(id?: string): Promise<AreaSummary[]> {
    permit(user, "dashboard.see");
    const now = scope.now().toISOString();
    return withComingWindows(db, org_id, now, async () => {
      const areas = dashboard(db, org_id).areas(visibleDepts(user), now, id);
      const [found, old] = await db.batch([areas, outdated(db, org_id, now)]);
      return { old, found };
    });
  }

  return {
    /** A summary of each area, by name. */
    list: (): Promise<AreaSummary[]> => summaries(),

    /** The steps that an empty city still needs; null once something is scheduled. */
    firstSteps: async (): Promise<FirstSteps | null> => {
      permit(user, "dashboard.see");
      const has = await dashboard(db, org_id).has();
      if (!has || has.schedule) return null;
      return { area: has.area === 1, hub: has.hub === 1, device: has.device === 1, schedule: false };
    },

    /** The summary of one area. Refuses with `not_found`. */
    find: async (id: string): Promise<AreaSummary> => {
      const [summary] = await summaries(id);
      return found(summary, "Area");
    },
  };
}
