import { dashboard } from "#db/dashboard";
import type { FirstSteps } from "#domain/first-steps";
import { nextEvent } from "#domain/next-event";
import type { AreaSummary } from "#domain/records";
import { visibleDepts } from "#domain/visibility";
import { found } from "#worker/services/refuse";
import { permit, type Scope } from "#worker/services/scope";

/** What each area has, is doing and will do next, as far as the person's departments let them see it. */
export function dashboardService(scope: Scope) {
  const { user, org_id, db } = scope;

  async function summaries(id?: string): Promise<AreaSummary[]> {
    permit(user, "dashboard.see");
    const now = scope.now();
    const depts = visibleDepts(user);
    const repository = dashboard(db, org_id);
    const [areas, plans] = await db.batch([
      repository.areas(depts, id),
      repository.plans(depts, now.toISOString(), id),
    ]);

    const next = new Map<string, number>();
    for (const plan of plans) {
      const instant = nextEvent(plan, now.getTime()) ?? Infinity;
      next.set(plan.area_id, Math.min(instant, next.get(plan.area_id) ?? Infinity));
    }
    return areas.map((area) => ({ ...area, next_event: toIso(next.get(area.id)) }));
  }

  return {
    /** One summary for each area, by name. */
    list: (): Promise<AreaSummary[]> => summaries(),

    /** What the first light still needs; null once something is scheduled. */
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

function toIso(instant = Infinity): string | null {
  return instant === Infinity ? null : new Date(instant).toISOString();
}
