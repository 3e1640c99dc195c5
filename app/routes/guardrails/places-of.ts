import { darkWords } from "#domain/guardrails/dark-hours";
import { maxOnWords } from "#domain/guardrails/policy";
import { choiceInArea } from "#domain/records/name-in-area";
import type { SignedIn } from "#worker/context";
import { limitsOfAreas } from "./place-limits";
import { keyOf, type Places } from "./places";
import { capitalized } from "#domain/capitalized";

/** The policies, what may have one, and what a page of areas ends up with. */
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
  return {
    policies,
    read_only: read_only.map(keyOf),
    organization: { dark: darkWords(settings), max_on: capitalized(maxOnWords(settings.MAX_ON_DURATION_MIN)) },
    areas: areas.map(({ id, name }) => ({ id, name })),
    groups: groups.map(choiceInArea),
    ends: { ...pages, rows: limitsOfAreas(rows, { policies, groups, settings }) },
  };
}
