import { darkWords } from "#domain/guardrails/dark-hours";
import { maxOnWords } from "#domain/guardrails/policy";
import { choiceInArea } from "#domain/records/name-in-area";
import type { SignedIn } from "#worker/context";
import { limitsOfAreas } from "./place-limits";
import type { Places } from "./places";
import { capitalized } from "#domain/capitalized";

/** The policies, what the person may give one, and what a page of areas ends up with. */
export async function placesOf(services: SignedIn["services"], query: Record<string, string>): Promise<Places> {
  const [policies, groups, areas, page, settings] = await Promise.all([
    services.policies.list(),
    services.groups.list(),
    services.areas.list(),
    services.areas.page({ page: query.page }),
    services.settings.findGuardrails(),
  ]);
  const { rows, ...pages } = page;
  const rightsOf = await services.policies.rightsAt([
    ...areas.map(({ id }) => ({ type: "area" as const, id })),
    ...groups.map(({ id }) => ({ type: "group" as const, id })),
  ]);
  const mayWrite = (place: { id: string }) => rightsOf(place).may_write;
  return {
    policies: policies.map((policy) => ({ ...policy, may_write: policy.scope === "type" || mayWrite(policy) })),
    organization: { dark: darkWords(settings), max_on: capitalized(maxOnWords(settings.MAX_ON_DURATION_MIN)) },
    areas: areas.filter(mayWrite).map(({ id, name }) => ({ id, name })),
    groups: groups.filter(mayWrite).map(choiceInArea),
    ends: { ...pages, rows: limitsOfAreas(rows, { policies, groups, settings }) },
  };
}
