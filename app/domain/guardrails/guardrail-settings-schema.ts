import { z } from "zod";
import { wholeNumber } from "#domain/fields/fields";
import { BOUNDS, MAX_NOTES } from "#domain/fields/limits";
import { isPhone } from "#domain/fields/phone";
import { parseBlackout } from "./guardrail";
import { parseClock } from "#domain/time/parse-clock";

const MAP_REQUIRED = "Guardrail settings must be a map of keys and values";
const MAX_BACKOFFS = 10;

/** The input of the guardrail settings. Absent keys stay as they are. */
export const guardrailSettingsInput = z.object(
  {
    HARD_CURFEW_OFF: clockText("The curfew must be a time as HH:MM, or empty", isClock).optional(),
    MAX_ON_DURATION_MIN: wholeNumber("Max ON duration", BOUNDS.MAX_ON_DURATION_MIN).optional(),
    BLACKOUT_WINDOW: clockText(
      "The blackout must be two different times as HH:MM-HH:MM, or empty",
      isWindow,
    ).optional(),
    WATCHDOG_ENABLED: z.boolean("Watchdog must be true or false").optional(),
    WATCHDOG_INTERVAL_SEC: wholeNumber("Watchdog interval", BOUNDS.WATCHDOG_INTERVAL_SEC).optional(),
    YOLINK_VERIFY_DELAY_SEC: wholeNumber("Verify delay", BOUNDS.YOLINK_VERIFY_DELAY_SEC).optional(),
    RETRY_BACKOFFS_SEC: z
      .array(wholeNumber("Each retry backoff", { min: 1, max: 3600 }), "Retry backoffs must be a list of seconds")
      .max(MAX_BACKOFFS, `There may be at most ${MAX_BACKOFFS} retry backoffs`)
      .optional(),
    NOTIFY_ON_FAIL: z.boolean("Notify on fail must be true or false").optional(),
    NOTIFY_SMS_TO: phoneNumbers().optional(),
  },
  MAP_REQUIRED,
);

/** Empty switches the rule off. */
export function clockText(invalid: string, isValid: (text: string) => boolean) {
  return z
    .string(invalid)
    .trim()
    .refine((text) => text === "" || isValid(text), invalid);
}

/** Whether a text is HH:MM. */
export function isClock(text: string): boolean {
  return parseClock(text) !== null;
}

/** Whether a text is HH:MM-HH:MM. */
export function isWindow(text: string): boolean {
  return parseBlackout(text) !== null;
}

/** E.164, comma-separated; empty for nobody. */
function phoneNumbers() {
  const invalid = "Phone numbers must be E.164, such as +12025550123, separated by commas";
  return z
    .string(invalid)
    .max(MAX_NOTES, invalid)
    .transform((text) =>
      text
        .split(",")
        .map((number) => number.trim())
        .filter((number) => number !== ""),
    )
    .refine((numbers) => numbers.every(isPhone), invalid)
    .transform((numbers) => numbers.join(","));
}
