import { lightsAt, type Place } from "#db/lights-at";
import { can, maySeeDept, mayWriteInDept, readOnlyDepts, type Capability } from "#domain/organization/permissions";
import type { MayWrite, Rights } from "#domain/records/records";
import { ownDepts } from "#domain/records/visibility";
import type { Scope } from "#worker/services/scope";

const ALL: Rights = { may_write: true, may_affect: true };
const NONE: Rights = { may_write: false, may_affect: false };

/**
 * What the person may do with the lights of each of these places, by its id, as `permitLights` and `permitDevices` go by it;
 * nothing at all if their role lacks `needs`. One statement for all places, and none where that is the same for every light.
 */
export async function rightsAt(
  { user, org_id, db }: Scope,
  needs: Capability,
  places: Place[],
): Promise<(place: Pick<Place, "id">) => Rights> {
  if (!can(user, needs)) return () => NONE;
  if (places.length === 0 || (ownDepts(user) === null && readOnlyDepts(user).length === 0)) return () => ALL;
  const depts = new Map<string, string[]>();
  for (const { id, dept_id } of await lightsAt(db, org_id).deptsAt(places)) {
    depts.set(id, [...(depts.get(id) ?? []), dept_id]);
  }
  return ({ id }) => {
    const of = depts.get(id) ?? [];
    const may_affect = of.every((dept_id) => mayWriteInDept(user, dept_id));
    return { may_affect, may_write: may_affect && of.every((dept_id) => maySeeDept(user, dept_id)) };
  };
}

/** Rows that each say whether the person may write all lights of their place. Asks as `rightsAt` does. */
export async function withMayWrite<Row>(
  scope: Scope,
  needs: Capability,
  rows: Row[],
  placeOf: (row: Row) => Place,
): Promise<(Row & MayWrite)[]> {
  const rightsOf = await rightsAt(scope, needs, rows.map(placeOf));
  return rows.map((row) => ({ ...row, may_write: rightsOf(placeOf(row)).may_write }));
}
