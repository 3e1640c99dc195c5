import { z } from "zod";
import { instant, oneOf, optionalId, optionalText, requiredId, requiredText } from "#domain/fields/fields";
import { MAX_DESCRIPTION, MAX_TITLE } from "#domain/fields/limits";
import { nightFields } from "./nights-schema";
import { lastEnd, nextStart } from "./recurrence";
import { parseRule } from "./rule";
import type { Recurring } from "./schedule";
import { TIMEZONES, type Timezone } from "#domain/enums";
import { targetAsked } from "./ticked-schema";
import { DAY_MS } from "#domain/time/units";
import { toWall } from "#domain/time/wall-clock";

const REQUIRED = "Title, area, and device are required";
const TIMES_REQUIRED = "Start and end date/time are required";
const MAX_WINDOW_MS = DAY_MS;
const MAX_START_YEARS = 10;
const MAX_RULE = 200;

const fields = {
  title: requiredText("Title", MAX_TITLE, REQUIRED),
  description_short: optionalText("Description", MAX_DESCRIPTION),
  start_at: z.string(TIMES_REQUIRED).trim().min(1, TIMES_REQUIRED).pipe(instant("Start must be a date and time")),
  end_at: z.string(TIMES_REQUIRED).trim().min(1, TIMES_REQUIRED).pipe(instant("End must be a date and time")),
  rrule: rule().optional(),
  timezone: oneOf("Time zone", TIMEZONES).optional(),
  ...nightFields,
};

/**
 * The input of a schedule. An absent rule means none and an absent zone the city's; in an edit both stay as they are.
 * `target` says what it is for; without one it is for `device_id`, or, in an edit, stays for the group or area.
 */
export const scheduleInput = z
  .object({ ...fields, area_id: optionalId("Area"), device_id: optionalId("Device"), target: targetAsked }, REQUIRED)
  .superRefine(checkTimes)
  .describe("Ends after it starts, and at most 24 hours later by its zone's clock");

/** The same for one device. */
export const deviceScheduleInput = z
  .object(
    { ...fields, area_id: requiredId(REQUIRED), device_id: requiredId(REQUIRED), target: z.null().optional() },
    REQUIRED,
  )
  .superRefine(checkTimes);

export type ScheduleInput = z.infer<typeof scheduleInput>;

type Times = {
  start_at: string;
  end_at: string;
  timezone?: Timezone | undefined;
  start_sun?: unknown;
  end_sun?: unknown;
};

/** By the sun the two only name dates: the instants of the first night are worked out when it is saved. */
function checkTimes(times: Times, context: z.RefinementCtx): void {
  const { timezone, start_sun, end_sun } = times;
  if (start_sun || end_sun) return;
  const length = realLength(times);
  // An absent one is the city's, or the one that an edit keeps: `scheduleProblem` is told which.
  const zones = timezone ? [timezone] : TIMEZONES;
  if (length <= 0) {
    context.addIssue({ code: "custom", path: ["end_at"], message: "End time must be after start time" });
  } else if (
    length > MAX_WINDOW_MS &&
    zones.every((zone) => wallLength({ ...times, timezone: zone }) > MAX_WINDOW_MS)
  ) {
    context.addIssue({ code: "custom", path: ["end_at"], message: "A schedule may last at most 24 hours" });
  }
}

/** Why a schedule cannot be saved at an instant, as a field and a message; null if it can. */
export function scheduleProblem(schedule: Recurring, now: Date): { field: string; detail: string } | null {
  const start = new Date(schedule.start_at);
  if (start < yearsFrom(now, -MAX_START_YEARS) || start > yearsFrom(now, MAX_START_YEARS)) {
    return { field: "start_at", detail: "The start must be within ten years from now" };
  }
  if (nextStart({ ...schedule, skips: null, calendar: null }, start.getTime() - 1) === null) {
    return { field: "rrule", detail: "This recurrence ends before its first occurrence" };
  }
  if (lengthOf(schedule) > MAX_WINDOW_MS) {
    return { field: "end_at", detail: "A schedule may last at most 24 hours" };
  }
  const end = lastEnd(schedule);
  if (end !== null && end <= now.getTime()) {
    const field = schedule.rrule !== null && parseRule(schedule.rrule)?.until ? "rrule" : "end_at";
    return { field, detail: "This schedule lies wholly in the past" };
  }
  return null;
}

/**
 * How long its windows are (ms). What repeats is as long by the clock every night; a window that comes once may have 24 hours
 * by the clock or real ones, which are not the same in the nights on which clocks change.
 */
function lengthOf(schedule: Recurring): number {
  const [real, wall] = [realLength(schedule), wallLength(schedule)];
  const repeatsByClock = schedule.rrule !== null && !schedule.start_sun && !schedule.end_sun;
  return repeatsByClock && wall > 0 ? wall : Math.min(real, wall);
}

function realLength({ start_at, end_at }: Pick<Recurring, "start_at" | "end_at">): number {
  return Date.parse(end_at) - Date.parse(start_at);
}

function wallLength({ start_at, end_at, timezone }: Pick<Recurring, "start_at" | "end_at" | "timezone">): number {
  return toWall(timezone, Date.parse(end_at)) - toWall(timezone, Date.parse(start_at));
}

function rule() {
  const invalid = "This recurrence is not supported: repeat daily or weekly, up to 100 times, until a date or for ever";
  return z
    .string(invalid)
    .trim()
    .max(MAX_RULE, invalid)
    .transform((text, context) => {
      if (text === "") return null;
      // BYDAY is empty or missing.
      if (/FREQ=WEEKLY/i.test(text) && !/BYDAY=[^;]/i.test(text)) {
        context.addIssue("Please select at least one day for weekly recurring");
      } else if (parseRule(text) === null) {
        context.addIssue(invalid);
      }
      return text;
    })
    .nullable();
}

function yearsFrom(now: Date, years: number): Date {
  const then = new Date(now);
  then.setUTCFullYear(then.getUTCFullYear() + years);
  return then;
}
