import type { DeviceState } from "#domain/enums";
import type { Heard, LightFacts } from "./light-facts";
import { formatMoment } from "#domain/time/display";

/** Why a light is not in its desired state, in words, and since when (epoch ms). */
export type Problem = { since: number; why: string };

/** The facts that a problem depends on. */
export type ProblemFacts = Heard & Pick<LightFacts, "now" | "zone" | "wanted" | "reason" | "lit_since">;

/** How the problem of a light begins that cannot be reached; the hub's own trouble says the rest. */
export const HUB_IS_AWAY = "its hub is away";

/** How the problem of a light begins that somebody has lit at its lamp: nothing that we cannot reach made it so. */
export const LIT_AT_LAMP = "on without a reason";

/** A command that waits longer than this for the cloud's call limit is late. */
const HELD_TOO_LONG_MS = 60_000;

/**
 * Why and since when a light is not in its desired state; null if it is, and during the first try. An external light is a
 * problem, too, because nobody here knows its reason.
 */
export function problemOf(facts: ProblemFacts): Problem | null {
  const { now, zone, trouble } = facts;
  if (facts.is_tested || facts.entrusted_since !== null) return null;
  if (facts.reason.kind === "external") {
    return { since: facts.lit_since ?? now, why: `${LIT_AT_LAMP}: switched on at the lamp` };
  }
  if (facts.wanted === "none" || shownState(facts) === facts.wanted || !isLate(facts)) return null;
  const tries = Math.max(trouble?.tries ?? 0, facts.command?.attempt ?? 0);
  const cause = causeOf(facts, (at) => formatMoment(at, zone, now));
  // Not since its hub is away: the light may have been as it should be for hours.
  const since = trouble?.since ?? facts.command?.held_since ?? now;
  return { since, why: tries > 0 ? `${cause}, ${tries === 1 ? "1 try" : `${tries} tries`}` : cause };
}

/** The state that people see: an answered command counts until the lamp is read. */
export function shownState({ command, known }: Pick<Heard, "command" | "known">): DeviceState {
  return command?.is_answered ? command.action : known;
}

function isLate({ now, known, command, trouble, hub_away_since }: ProblemFacts): boolean {
  if (trouble !== null || hub_away_since !== null) return true;
  if (command === null) return known !== "unknown";
  return command.attempt > 1 || (command.held_since !== null && now - command.held_since >= HELD_TOO_LONG_MS);
}

function causeOf(facts: Heard, moment: (at: number) => string): string {
  const { known, command, hub_away_since } = facts;
  if (hub_away_since !== null) return `${HUB_IS_AWAY} since ${moment(hub_away_since)}`;
  if (command !== null && command.held_since !== null) {
    return `held back by the cloud's limit of calls since ${moment(command.held_since)}`;
  }
  return known === "unknown" ? "not confirmed" : `still ${known}`;
}
