import { areas } from "#db/areas";
import { devices } from "#db/devices";
import { lightsAt } from "#db/lights-at";
import { groups } from "#db/groups";
import { Refusal } from "#domain/errors";
import { maySeeDept, mayWriteInDept } from "#domain/organization/permissions";
import type { Target, TargetType } from "#domain/schedule/target";
import { ownDepts } from "#domain/records/visibility";
import { invalid, permitRecord } from "#worker/services/refuse";
import type { Scope } from "#worker/services/scope";

// What people see and write of a target goes by their memberships, whichever department is chosen: a chosen department
// hides lights from the lists, and not from whoever has work to do there.

/** Where a target is, and what it is called. */
export type TargetPlace = { area_id: string; name: string };
/** The same of what the person may write, and how many devices that are. */
export type PermittedPlace = TargetPlace & { devices: number };

/**
 * The target of a permit or a closure. Refuses with `invalid` what is not there or not the person's to see, and with
 * `forbidden` lights that the person may not write.
 */
export async function permitTarget(scope: Scope, target: Target): Promise<PermittedPlace> {
  const place = await findTarget(scope, target);
  if (place === undefined) throw invalid("target", `${NAMES[target.type]} not found`);
  return { ...place, devices: await permitLightsOf(scope, target) };
}

const NAMES: Record<TargetType, string> = { device: "Device", group: "Group", area: "Area" };

/** A target that the person sees: an area, a device, or a group with a light that they see or with none. */
export async function findTarget(scope: Scope, { type, id }: Target): Promise<TargetPlace | undefined> {
  const { user, org_id, db } = scope;
  if (type === "device") return devices(db, org_id).find(id, ownDepts(user));
  if (type === "area") {
    const area = await areas(db, org_id).find(id);
    return area && { area_id: area.id, name: "All lights" };
  }
  const group = await groups(db, org_id).find(id, ownDepts(user));
  return group && { area_id: group.area_id, name: group.name ?? (await groupNameOf(scope, group.device_ids)) };
}

/** 'Pitch A north mast and 2 more', of devices in the order of their names. */
export async function groupNameOf({ user, org_id, db }: Scope, [first = "", ...more]: string[]): Promise<string> {
  const device = await devices(db, org_id).find(first, ownDepts(user));
  return `${device?.name ?? "No lights"}${more.length > 0 ? ` and ${more.length} more` : ""}`;
}

/** Refuses with `forbidden` unless the person may write every device of the target. Answers how many there are. */
export async function permitLightsOf(scope: Scope, target: Target): Promise<number> {
  const depts = await lightsAt(scope.db, scope.org_id).deptsOf(target);
  permitLights(
    scope,
    depts.map(({ dept_id }) => dept_id),
  );
  return depts.reduce((sum, { lights }) => sum + lights, 0);
}

/** The same for the departments of devices; null stands for organization-wide devices. */
export function permitLights({ user }: Scope, depts: (string | null)[]): void {
  if (!depts.every((dept_id) => maySeeDept(user, dept_id)))
    throw new Refusal("forbidden", "Some of these lights belong to departments you are not in");
  permitRecord(depts.every((dept_id) => mayWriteInDept(user, dept_id)));
}
