import { formatMoment } from "#domain/time/display";
import { guardrailAt, isEndless, nextGuardrailStart } from "./guardrail";
import type { Guardrails } from "#domain/schedule/schedule";

/** The city's dark hours at an instant (epoch ms): 'Curfew until 5:00 AM', 'Curfew from 11:45 PM'; null without any. */
export function darkHoursSentence(rules: Guardrails, now: number): string | null {
  const current = guardrailAt(rules, now);
  const moment = (at: number) => formatMoment(at, rules.zone, now);
  if (current) {
    const until = isEndless(current, now) ? "at all hours" : `until ${moment(current.until)}`;
    return `${NAMES[current.kind]} ${until}`;
  }
  const start = nextGuardrailStart(rules, now);
  if (start === null) return null;
  const kind = guardrailAt(rules, start)?.kind ?? "curfew";
  return `${NAMES[kind]} from ${moment(start)}`;
}

const NAMES = { curfew: "Curfew", blackout: "Blackout" };
