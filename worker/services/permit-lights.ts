import { devices } from "#db/devices";
import { Refusal } from "#domain/errors";
import { maySeeDept, mayWriteInDept } from "#domain/permissions";
import type { Target } from "#domain/target";
import { permitRecord } from "#worker/services/refuse";
import type { Scope } from "#worker/services/scope";

/**
 * Refuses with `forbidden` unless the person may write every device of the target, by membership, whatever department is
 * chosen. Answers how many devices there are.
 */
export async function permitLightsOf(scope: Scope, target: Target): Promise<number> {
  const depts = await devices(scope.db, scope.org_id).deptsOf(target);
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
