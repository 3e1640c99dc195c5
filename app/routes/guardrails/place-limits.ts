import { darkWords } from "#domain/guardrails/dark-hours";
import { mergePolicies, maxOnWords, type PolicyInForce, type PolicySource } from "#domain/guardrails/policy";
import type { Policy } from "#domain/guardrails/limit-records";
import type { Area, Group, GuardrailSettings } from "#domain/records/records";
import { capitalized } from "#domain/capitalized";

/** What a place ends up with, in words, each with the level that says so. */
export type PlaceLimits = { id: string; name: string; type: string; isGroup: boolean; dark: string; max_on: string };

type Levels = { policies: Policy[]; groups: Group[]; settings: GuardrailSettings };

/** For each area, and below it for each of its groups that has a policy of its own. */
export function limitsOfAreas(areas: Area[], levels: Levels): PlaceLimits[] {
  return areas.flatMap((area) => [
    placed(area, { ...area, isGroup: false }, merged(area, [], levels)),
    ...groupsOf(area, levels).map(({ group, own }) =>
      placed(area, { ...group, isGroup: true }, merged(area, [own], levels)),
    ),
  ]);
}

function groupsOf({ id }: Area, { policies, groups }: Levels) {
  return groups
    .filter((group) => group.area_id === id)
    .flatMap((group) => {
      const own = policies.find((policy) => policy.scope === "group" && policy.id === group.id);
      return own ? [{ group, own }] : [];
    });
}

function merged({ id, type }: Area, groups: Policy[], { policies, settings }: Levels): PolicyInForce {
  const level = (scope: "area" | "type", of: string) =>
    policies.find((policy) => policy.scope === scope && policy.id === of) ?? null;
  return mergePolicies({ groups, area: level("area", id), type: level("type", type), organization: settings });
}

function placed(
  { type }: Area,
  { id, name, isGroup }: Pick<PlaceLimits, "id" | "name" | "isGroup">,
  policy: PolicyInForce,
): PlaceLimits {
  return {
    id,
    name,
    type,
    isGroup,
    dark: `${darkWords(policy)} (${sourceWords(policy.dark_source, type)})`,
    max_on: `${capitalized(maxOnWords(policy.MAX_ON_DURATION_MIN))} (${sourceWords(policy.max_on_source, type)})`,
  };
}

/** The level that says so: 'the organization', 'all of type field'. */
export function sourceWords(source: PolicySource, type: string): string {
  return { organization: "the organization", type: `all of type ${type}`, area: "this area", group: "this group" }[
    source
  ];
}
