import { lightsAt } from "#db/lights-at";
import { MAX_GROUP } from "#domain/fields/limits";
import { TOO_MANY } from "#domain/light/switch-all";
import { mayToggle } from "#domain/organization/permissions";
import type { ToggleRow } from "#domain/records/records";
import type { Target } from "#domain/schedule/target";
import { toggleInput, toggleProblem, wishOf, type ToggleWish } from "#domain/resolve/toggle-schema";
import { visibleDepts } from "#domain/records/visibility";
import { audited } from "#worker/services/audit";
import { parse } from "#worker/services/parse";
import { invalid, permitRecord, refuseProblem } from "#worker/services/refuse";
import { permit, unanswered, type Scope } from "#worker/services/scope";

/** A toggle as the engine is asked for it. Refuses with `forbidden` who may not declare an emergency, and with `invalid`. */
export function parseToggle({ user, now }: Scope, input: unknown): ToggleWish {
  const values = parse(toggleInput, input);
  if (values.emergency) permit(user, "emergency.declare");
  refuseProblem(toggleProblem(values, now()));
  return wishOf(values);
}

/**
 * A toggle of every visible light of an area or group: one call of the engine, one audit entry. A row for each light; those
 * that the person may not switch are denied. Refuses with `forbidden` where that is every light, and with `invalid`.
 */
export async function toggleLights(
  scope: Scope,
  target: Target & { type: "area" | "group"; name: string },
  input: unknown,
): Promise<ToggleRow[]> {
  const { user, org_id, db, scheduler } = scope;
  const wish = parseToggle(scope, input);
  const lights = await lightsAt(db, org_id).inTarget(target, visibleDepts(user), MAX_GROUP + 1);
  if (lights.length > MAX_GROUP) throw invalid("action", TOO_MANY);
  const allowed = lights.filter((light) => mayToggle(user, light)).map(({ id }) => id);
  permitRecord(allowed.length > 0 || lights.length === 0);
  // Audit the intent first, since an engine that answers late, or never, may still have switched.
  const after = { name: target.name, ...wish, lights: allowed.length };
  await db.batch([audited(scope, "toggle", target.type, target.id, { after })]);
  if (allowed.length === 0) return [];
  const actor = { id: user.id, email: user.email };
  const rows = await scheduler.toggleMany({ org_id, device_ids: allowed, actor, ...wish }).catch(unanswered);
  const byId = new Map(rows.map((row) => [row.device_id, row]));
  return lights.map(({ id }) => byId.get(id) ?? denied(id));
}

function denied(device_id: string): ToggleRow {
  return { device_id, success: false, pending: false, detail: "Permission denied" };
}
