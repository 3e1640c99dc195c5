import { guardrailAt } from "#domain/guardrail";
import { refusalSentence } from "#domain/reason-sentence";
import type { EngineContext } from "#durable/state/context";
import { guardrailsOf, isServed, settingsOf } from "#durable/state/plan";

const NOT_SERVED = "Lights may not go on: the organization is inactive";

/** Why nothing may be switched on right now, in a sentence for people; null where it may. */
export function refusedNow(context: EngineContext): string | null {
  if (!isServed(context.sql)) return NOT_SERVED;
  const settings = settingsOf(context.sql);
  const guardrail = guardrailAt(guardrailsOf(settings), context.now());
  return guardrail && refusalSentence(guardrail, settings.APP_TIMEZONE);
}
