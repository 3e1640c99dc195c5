import { groups } from "#db/groups";
import { policies } from "#db/policies";
import type { Policy } from "#domain/guardrails/limit-records";
import { mergePolicies, type PolicyInForce } from "#domain/guardrails/policy";
import type { Guardrails } from "#domain/schedule/schedule";
import type { Target } from "#domain/schedule/target";
import { visibleDepts } from "#domain/records/visibility";
import type { Scope } from "#worker/services/scope";
import { settingsService } from "#worker/services/settings";

/** What is in force in an area, and in each of its groups that has a policy and is shown to the person. */
export type GuardrailsInForce = {
  zone: Guardrails["zone"];
  area: PolicyInForce;
  groups: { id: string; name: string; in_force: PolicyInForce }[];
};

/** The guardrails of an area that exists. */
export async function guardrailsOfArea(scope: Scope, area_id: string): Promise<GuardrailsInForce> {
  const { stored, merged, zone } = await levelsOf(scope, area_id);
  const ofGroups = stored.filter((policy) => policy.scope === "group");
  const shown = await shownAmong(
    scope,
    ofGroups.map(({ id }) => id),
  );
  return {
    zone,
    area: merged([]),
    groups: ofGroups
      .filter(({ id }) => shown.includes(id))
      .map((group) => ({ id: group.id, name: group.name, in_force: merged([group]) })),
  };
}

/** The guardrails of a target in an area, as the strictest of a device's groups has them. */
export async function guardrailsOfTarget(scope: Scope, target: Target, area_id: string): Promise<Guardrails> {
  const [{ stored, merged, zone }, ids] = await Promise.all([levelsOf(scope, area_id), groupsOf(scope, target)]);
  return { ...merged(stored.filter((policy) => policy.scope === "group" && ids.includes(policy.id))), zone };
}

async function shownAmong({ user, db, org_id }: Scope, ids: string[]): Promise<string[]> {
  return ids.length === 0 ? [] : groups(db, org_id).shownAmong(ids, visibleDepts(user));
}

async function levelsOf(scope: Scope, area_id: string) {
  const [stored, { zone, ...organization }] = await Promise.all([
    policies(scope.db, scope.org_id).ofArea(area_id),
    settingsService(scope).guardrails(),
  ]);
  const level = (of: "area" | "type") => stored.find((policy) => policy.scope === of) ?? null;
  const merged = (groups: Policy[]) =>
    mergePolicies({ groups, area: level("area"), type: level("type"), organization });
  return { stored, merged, zone };
}

function groupsOf({ db, org_id }: Scope, { type, id }: Target): Promise<string[]> {
  if (type === "device") return policies(db, org_id).groupsOf(id);
  return Promise.resolve(type === "group" ? [id] : []);
}
