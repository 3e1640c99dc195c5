import { counted, grouped } from "#domain/counted";
import { formatMoment } from "#domain/time/display";
import { guardrailAt } from "./guardrail";
import { maxOnWords } from "./policy";
import type { Guardrails } from "#domain/schedule/schedule";
import { MINUTE_MS } from "#domain/time/units";

/** The guardrails of so many lights of a target. */
export type RulesOfLights = { rules: Guardrails; lights: number };

/**
 * What may surprise the giver of a permit (ISO): minutes under a permit count, so a light that has been on for too long goes
 * off at its end, unless the dark time darkens it then anyway. `all` are the guardrails of the target's lights, `now` is epoch
 * ms, for the words.
 */
export function permitWarnings({ to }: { to: string }, all: readonly RulesOfLights[], now: number): string[] {
  const end = Date.parse(to);
  const total = all.reduce((sum, { lights }) => sum + lights, 0);
  const cut = new Map<number, RulesOfLights>();
  for (const { rules, lights } of all) {
    const { MAX_ON_DURATION_MIN: minutes } = rules;
    if (minutes === 0 || guardrailAt(rules, end) !== null) continue;
    cut.set(minutes, { rules, lights: lights + (cut.get(minutes)?.lights ?? 0) });
  }
  return [...cut].toSorted(([a], [b]) => a - b).map(([, some]) => warning(some, total, end, now));
}

function warning({ rules, lights }: RulesOfLights, total: number, end: number, now: number): string {
  const { MAX_ON_DURATION_MIN: minutes, zone } = rules;
  const since = `since ${formatMoment(end - minutes * MINUTE_MS, zone, now)} or earlier`;
  const over = `when the permit ends (${formatMoment(end, zone, now)})`;
  const limit = maxOnWords(minutes);
  if (lights === total) return `Lights on ${since} go off ${over}: ${limit}`;
  return `${grouped(lights)} of ${counted(total, "light")} ${lights === 1 ? "goes" : "go"} off ${over} if on ${since}: ${limit}`;
}
