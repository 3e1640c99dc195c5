import { targets, type TargetFacts } from "#db/targets";
import { Refusal } from "#domain/errors";
import { maySeeDept, mayWriteInDept } from "#domain/permissions";
import type { Target, TargetType } from "#domain/target";
import { invalid } from "#worker/services/refuse";
import type { Scope } from "#worker/services/scope";

const FOREIGN = "Some of these lights belong to departments you are not in";

/**
 * The target in a write must exist and, if it is a device, be the person's to see (else `invalid`), and the person must be
 * a member who may write in the departments of all its devices (else `forbidden`), whichever department is chosen.
 */
export async function permitTarget({ user, db, org_id }: Scope, target: Target): Promise<TargetFacts> {
  const facts = await targets(db, org_id).find(target);
  if (!facts) throw unknown(target.type);
  const isSeen = facts.depts.every((dept_id) => maySeeDept(user, dept_id));
  if (!isSeen && target.type === "device") throw unknown(target.type);
  if (!isSeen) throw new Refusal("forbidden", FOREIGN);
  if (facts.depts.every((dept_id) => mayWriteInDept(user, dept_id))) return facts;
  throw new Refusal("forbidden", target.type === "device" ? "Permission denied" : FOREIGN);
}

function unknown(type: TargetType): Refusal {
  return invalid("target", `${NAMES[type]} not found`);
}

const NAMES: Record<TargetType, string> = { device: "Device", group: "Group", area: "Area" };
