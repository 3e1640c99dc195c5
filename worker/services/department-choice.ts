import { departments } from "#db/departments";
import { devices } from "#db/devices";
import { maySeeDept, mayWriteInDept } from "#domain/permissions";
import { invalid, permitRecord } from "#worker/services/refuse";
import type { Scope } from "#worker/services/scope";

/**
 * A department that a write names must be visible to the writer (decision 10: else `invalid`) and none in which they
 * only read (decision 8: else `forbidden`). What the record has already is not asked again.
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

/** What takes devices along needs the right to write in the department of each of them (decision 8): else `forbidden`. */
export async function permitDevices(
  { user, db, org_id }: Scope,
  place: { area_id: string } | { hub_id: string },
): Promise<void> {
  const depts = await devices(db, org_id).depts(place);
  permitRecord(depts.every((dept_id) => mayWriteInDept(user, dept_id)));
}
