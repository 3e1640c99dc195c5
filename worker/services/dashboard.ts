import { dashboard } from "#db/dashboard";
import { nextEvent } from "#domain/next-event";
import type { AreaSummary } from "#domain/records";
import { visibleDepts } from "#domain/visibility";
import { permit, type Scope } from "#worker/services/scope";

/** Spec 2, Dashboard. */
export function dashboardService(scope: Scope) {
  const { user, org_id, db } = scope;

  return {
    /** A summary for each area; device counts, activity and next event as the person's departments go (decision 10). */
    list: async (): Promise<AreaSummary[]> => {
      permit(user, "dashboard.see");
      const now = scope.now();
      const depts = visibleDepts(user);
      const repository = dashboard(db, org_id);
      const [areas, plans] = await db.batch([repository.areas(depts), repository.plans(depts, now.toISOString())]);

      const next = new Map<string, number>();
      for (const plan of plans) {
        const instant = nextEvent(plan, now.getTime()) ?? Infinity;
        next.set(plan.area_id, Math.min(instant, next.get(plan.area_id) ?? Infinity));
      }
      return areas.map((area) => ({ ...area, next_event: toIso(next.get(area.id)) }));
    },
  };
}

function toIso(instant = Infinity): string | null {
  return instant === Infinity ? null : new Date(instant).toISOString();
}
