import { refusalSentence } from "#domain/reason-sentence";
import { guardrailAt } from "#domain/guardrail";
import type { Guardrails } from "#domain/schedule";

/** The sentence why no light may go on now; null if lights may. */
export function guardrailNow(rules: Guardrails): string | null {
  const guardrail = guardrailAt(rules, Date.now());
  return guardrail && refusalSentence(guardrail, rules.zone);
}
