import { formatMoment } from "#domain/time/display";
import { guardrailAt } from "./guardrail";
import { maxOnWords } from "./policy";
import type { Guardrails } from "#domain/schedule/schedule";
import { MINUTE_MS } from "#domain/time/units";

/**
 * What may surprise the giver of a permit (ISO): minutes under a permit count, so a light that has been on for too long goes
 * off at its end, unless the dark time darkens it then anyway. `now` is epoch ms, for the words.
 */
export function permitWarnings({ to }: { to: string }, rules: Guardrails, now: number): string[] {
  const end = Date.parse(to);
  const { MAX_ON_DURATION_MIN: minutes, zone } = rules;
  if (minutes === 0 || guardrailAt(rules, end) !== null) return [];
  const since = formatMoment(end - minutes * MINUTE_MS, zone, now);
  const over = formatMoment(end, zone, now);
  return [`Lights on since ${since} or earlier go off when the permit ends (${over}): ${maxOnWords(minutes)}`];
}
