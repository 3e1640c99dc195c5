import { auditLogs } from "#db/audit";
import { DAY_MS } from "#domain/time/units";
import type { Scope } from "#worker/services/scope";

/**
 * Whether one of the devices or groups was in the area within a day, and has left it: a form that has been open since still
 * offers it there. One that never was is the caller's own mistake.
 */
export function haveLeft({ db, org_id, now }: Scope, ids: string[], area_id: string): Promise<boolean> {
  return auditLogs(db, org_id).haveLeft(ids, area_id, new Date(now().getTime() - DAY_MS).toISOString());
}
