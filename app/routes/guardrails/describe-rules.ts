import { formatClock, formatDay } from "#domain/time/display";
import { guardrailAt, isEndless, nextGuardrailStart, parseBlackout } from "#domain/guardrails/guardrail";
import { hourWords } from "#domain/guardrails/policy";
import { parseClock } from "#domain/time/parse-clock";
import type { Guardrails } from "#domain/schedule/schedule";

/**
 * What the rules mean for the coming night, one sentence each; null while a time is half typed. `isSaved` is false for
 * unsaved rules.
 */
export function tonightWords(
  rules: Guardrails,
  now: number,
  isSaved: boolean,
): { isWarning: boolean; sentences: string[] } | null {
  const { HARD_CURFEW_OFF: curfew, BLACKOUT_WINDOW: blackout, zone } = rules;
  if (curfew !== "" && parseClock(curfew) === null) return null;
  if (blackout !== "" && parseBlackout(blackout) === null) return null;
  if (curfew === "" && blackout === "") {
    return { isWarning: true, sentences: ["No curfew and no blackout: lights may burn all night."] };
  }

  const current = guardrailAt(rules, now);
  if (current && isEndless(current, now)) {
    return { isWarning: true, sentences: ["These rules leave no time at which a light may be on."] };
  }
  const start = current ? now : nextGuardrailStart(rules, now);
  const whole = start === null ? null : guardrailAt(rules, start);
  if (start === null || whole === null) return null;
  const until = moment(whole.until, zone);
  const first = current
    ? `${isSaved ? "In force now" : "In force as soon as you save"}, until ${until}: lights are off, and none may be turned on.`
    : `From ${moment(start, zone)} until ${until} lights are off, and none may be turned on.`;
  return {
    isWarning: false,
    sentences: [first, "A booking that is still running by then goes on again.", ...alone(rules)],
  };
}

/** 'A light that has burned for 4 h goes off' */
export function burnedWords(minutes: number): string {
  if (!Number.isInteger(minutes) || minutes < 1) return "A light that has burned for this long goes off";
  return `A light that has burned for ${hourWords(minutes)} goes off`;
}

/** Describes the retries. */
export function ladderWords(backoffs: number[]): string {
  if (backoffs.some((sec) => !Number.isInteger(sec))) return "A list of seconds, such as 10, 30";
  if (backoffs.length === 0) return "A switch that fails is not tried again, but by the watchdog";
  const pauses = backoffs.map((sec) => `${sec} s`).join(", then ");
  return `A switch that fails is tried ${backoffs.length === 1 ? "once more" : `${backoffs.length} times more`}: after ${pauses}`;
}

/** A curfew without a blackout after it ends by itself. */
function alone({ HARD_CURFEW_OFF: curfew, BLACKOUT_WINDOW: blackout }: Guardrails): string[] {
  return curfew !== "" && blackout === "" ? ["Without a blackout the curfew lasts six hours."] : [];
}

function moment(at: number, zone: string): string {
  return `${formatDay(at, zone)}, ${formatClock(at, zone)}`;
}
