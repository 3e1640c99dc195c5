import { departments } from "#db/departments";
import { lightsAt } from "#db/lights-at";
import { maySeeDept, mayWriteInDept } from "#domain/organization/permissions";
import { invalid, permitRecord } from "#worker/services/refuse";
import type { Scope } from "#worker/services/scope";

/**
 * The department in a write must be visible to the person (else `invalid`) and writable (else `forbidden`). The record's
 * current department is not checked again.
 */
export async function permitDept(
  { user, db, org_id }: Scope,
  dept_id: string | null | undefined,
  current: string | null = null,
): Promise<void> {
  if (dept_id === undefined || dept_id === null || dept_id === current) return;
  const department = await departments(db, org_id).find(dept_id);
  if (!department || !maySeeDept(user, dept_id)) throw invalid("dept_id", "Department not found");
  permitRecord(mayWriteInDept(user, dept_id));
}

/** A change that affects devices needs write permission in each one's department; else `forbidden`. */
export async function permitDevices(
  { user, db, org_id }: Scope,
  place: { area_id: string } | { hub_id: string },
): Promise<void> {
  const depts = await lightsAt(db, org_id).depts(place);
  permitRecord(depts.every((dept_id) => mayWriteInDept(user, dept_id)));
}
