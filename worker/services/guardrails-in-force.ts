import { lightsAt } from "#db/lights-at";
import { groups } from "#db/groups";
import { policies } from "#db/policies";
import type { Policy } from "#domain/guardrails/limit-records";
import type { RulesOfLights } from "#domain/guardrails/permit-warnings";
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

/** The guardrails of a target's lights, be they hidden from the person, too; of a place without lights those of its area. */
export async function guardrailsOfLights(scope: Scope, target: Target, area_id: string): Promise<RulesOfLights[]> {
  const [{ stored, merged, zone }, sets] = await Promise.all([
    levelsOf(scope, area_id),
    lightsAt(scope.db, scope.org_id).inPolicies(target),
  ]);
  return (sets.length > 0 ? sets : [{ group_ids: [], lights: 0 }]).map(({ group_ids, lights }) => ({
    rules: { ...merged(stored.filter(({ scope: level, id }) => level === "group" && group_ids.includes(id))), zone },
    lights,
  }));
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
