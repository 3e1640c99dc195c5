import type { PolicyScope } from "#domain/enums";
import { darkWords } from "#domain/guardrails/dark-hours";
import { maxOnWords } from "#domain/guardrails/policy";
import { choiceInArea } from "#domain/records/name-in-area";
import type { SignedIn } from "#worker/context";
import { limitsOfAreas } from "./place-limits";
import { keyOf, type Places } from "./places";
import { capitalized } from "#domain/capitalized";

/** The policies, what the person may give one, and what a page of areas ends up with. */
export async function placesOf(services: SignedIn["services"], query: Record<string, string>): Promise<Places> {
  const [policies, read_only, groups, areas, page, settings] = await Promise.all([
    services.policies.list(),
    services.policies.readOnly(),
    services.groups.list(),
    services.areas.list(),
    services.areas.page({ page: query.page }),
    services.settings.findGuardrails(),
  ]);
  const { rows, ...pages } = page;
  const read = new Set(read_only.map(keyOf));
  const mayWrite = (scope: PolicyScope, id: string) => !read.has(keyOf({ scope, id }));
  return {
    policies: policies.map((policy) => ({ ...policy, may_write: mayWrite(policy.scope, policy.id) })),
    organization: { dark: darkWords(settings), max_on: capitalized(maxOnWords(settings.MAX_ON_DURATION_MIN)) },
    areas: areas.filter(({ id }) => mayWrite("area", id)).map(({ id, name }) => ({ id, name })),
    groups: groups.filter(({ id }) => mayWrite("group", id)).map(choiceInArea),
    ends: { ...pages, rows: limitsOfAreas(rows, { policies, groups, settings }) },
  };
}
