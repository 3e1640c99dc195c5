import { z } from "zod";
import { dateField } from "./calendar-schema";
import { CALENDAR_RULES } from "#domain/enums";
import { instant, oneOf, optionalId, optionalLine, wholeNumber } from "#domain/fields/fields";
import { MAX_TITLE } from "#domain/fields/limits";
import { parseClock } from "#domain/time/parse-clock";
import { SUN_EVENTS } from "./sun-time";

/** A year of nights. */
export const MAX_SKIPPED = 366;
export const TOO_MANY_SKIPPED = `A schedule may skip at most ${MAX_SKIPPED} dates`;
const MAX_OFFSET_MIN = 180;

/** A time by the sun. What is absent is none: no offset, no bound. */
export const sunTime = z
  .object(
    {
      event: oneOf("Sun event", SUN_EVENTS),
      offset_min: wholeNumber("Minutes", { min: -MAX_OFFSET_MIN, max: MAX_OFFSET_MIN }).default(0),
      not_before: clock("Not before").nullable().default(null),
      not_after: clock("Not after").nullable().default(null),
    },
    "A time by the sun must be an object with an event",
  )
  .meta({ id: "SunTime" });

/** What says on which nights a schedule happens, and when by the sun. Absent fields are none, or stay in an edit. */
export const nightFields = {
  start_sun: sunTime.nullable().optional(),
  end_sun: sunTime.nullable().optional(),
  exdates: z
    .array(dateField("A skipped date"), "Skipped dates must be a list")
    .max(MAX_SKIPPED, TOO_MANY_SKIPPED)
    .optional(),
  calendar_id: optionalId("Calendar"),
  calendar_rule: oneOf("Calendar rule", CALENDAR_RULES).nullable().optional(),
};

/** Which night is skipped: by its date, or by the start of its window. */
export const skipInput = z
  .object({
    date: dateField("The date").optional(),
    start_at: z
      .string("The start must be a date and time")
      .pipe(instant("The start must be a date and time"))
      .optional(),
    reason: optionalLine("Reason", MAX_TITLE),
  })
  .refine(({ date, start_at }) => (date === undefined) !== (start_at === undefined), {
    path: ["date"],
    message: "Give the date or the start of the night to skip",
  });

function clock(noun: string) {
  const message = `${noun} must be a time of day, as in 18:30`;
  return z.string(message).refine((text) => parseClock(text) !== null, message);
}
