import { refusalSentence } from "#domain/desired-state";
import { guardrailAt } from "#domain/guardrail";
import type { GuardrailSettings, SystemSettings } from "#domain/records";

/** Why no light may go on at the moment, in words; null if lights may. */
export function guardrailNow([rules, { APP_TIMEZONE }]: [GuardrailSettings, SystemSettings]): string | null {
  const guardrail = guardrailAt({ ...rules, zone: APP_TIMEZONE }, Date.now());
  return guardrail && refusalSentence(guardrail, APP_TIMEZONE);
}
