import { nightsAt } from "#db/nights";
import { schedules } from "#db/schedules";
import type { Schedule, SkippedDate } from "#domain/records/records";
import { isSameMinute, lightlessProblem, sunProblem, withFirstNight } from "#domain/schedule/first-night";
import type { Dated, Recurring } from "#domain/schedule/schedule";
import type { ScheduleInput } from "#domain/schedule/schedule-schema";
import { datesMovedBy } from "#domain/schedule/time-by-sun";
import { dateAfter } from "#domain/time/date-after";
import { invalid, refuseProblem } from "#worker/services/refuse";
import type { Scope } from "#worker/services/scope";
import { isObject } from "#domain/fields/json";

type Times = Pick<Recurring, "rrule" | "timezone">;
type Asked = Pick<
  ScheduleInput,
  "start_at" | "end_at" | "start_sun" | "end_sun" | "exdates" | "calendar_id" | "calendar_rule"
>;

/** What is stored of a schedule's nights, and what they depend on beside that. */
export type Nights = {
  stored: {
    start_at: string;
    end_at: string;
    start_sun: Schedule["start_sun"];
    end_sun: Schedule["end_sun"];
    calendar_id: string | null;
    calendar_rule: Schedule["calendar_rule"];
    skips?: SkippedDate[];
  };
  recurring: Recurring;
};

/**
 * An edit's input with the times by the sun that it keeps. Where the start or end was changed and no time by the sun was
 * given with it, the clock wins.
 */
export function withKeptSun(input: unknown, before?: Schedule): unknown {
  if (before === undefined || !isObject(input)) return input;
  const { start_at, end_at, start_sun, end_sun }: Record<string, unknown> = { ...input };
  return {
    ...input,
    start_sun: kept(start_sun, before.start_sun, isUnchanged(start_at, before.start_at)),
    end_sun: kept(end_sun, before.end_sun, isUnchanged(end_at, before.end_at)),
  };
}

/**
 * The nights of a schedule that is about to be saved, in an area. What else is absent stays in an edit; where another zone
 * gives the nights other dates, those that are skipped follow. Refuses with `invalid`.
 */
export async function nightsOf(
  scope: Scope,
  asked: Asked,
  { rrule, timezone }: Times,
  area_id: string,
  before?: Schedule,
): Promise<Nights> {
  const { db, org_id } = scope;
  const { start_sun = null, end_sun = null } = asked;
  const calendar_id = asked.calendar_id === undefined ? (before?.calendar_id ?? null) : asked.calendar_id;
  const rule = asked.calendar_rule ?? before?.calendar_rule ?? "skip";
  const calendar_rule = calendar_id === null ? null : rule;
  const skips = asked.exdates
    ? await skipsOn(scope, asked.exdates, before)
    : await skipsMoved(scope, asked.start_at, timezone, before);
  const known: readonly Dated[] = skips ?? (before?.exdates ?? []).map((date) => ({ date }));

  const { positions, dates } = await nightsAt(db, org_id, { area_id, calendar_id }, Boolean(start_sun ?? end_sun));
  if (calendar_id !== null && dates === undefined) throw invalid("calendar_id", "Choose a calendar");
  const calendar = calendar_rule === null ? null : { rule: calendar_rule, dates: dates ?? [] };
  const { start_at, end_at } = asked;
  const typed = { start_at, end_at, start_sun, end_sun, rrule, timezone, positions, calendar, skips: known };
  refuseProblem(sunProblem(typed));
  const recurring = withFirstNight(typed, before);
  refuseProblem(lightlessProblem(recurring));
  const stored = {
    start_at: recurring.start_at,
    end_at: recurring.end_at,
    start_sun,
    end_sun,
    calendar_id,
    calendar_rule,
  };
  return { stored: skips ? { ...stored, skips } : stored, recurring };
}

/** The nights that are to be skipped, each once; those that were skipped before keep their reasons. */
async function skipsOn(scope: Scope, dates: string[], before?: Schedule): Promise<SkippedDate[]> {
  const known = before && dates.length > 0 ? await skipsOf(scope, before) : [];
  const reasons = new Map(known.map(({ date, reason }) => [date, reason]));
  return [...new Set(dates)].toSorted().map((date) => ({ date, reason: reasons.get(date) ?? null }));
}

/** The skipped nights under their dates in the zone that an edit brings; undefined where these stay as they are. */
async function skipsMoved(
  scope: Scope,
  start_at: string,
  timezone: string,
  before?: Schedule,
): Promise<SkippedDate[] | undefined> {
  const days = before && isSameMinute(start_at, before.start_at) ? datesMovedBy(before, timezone) : 0;
  if (before === undefined || days === 0) return undefined;
  const skips = await skipsOf(scope, before);
  return skips.map((skip) => ({ ...skip, date: dateAfter(skip.date, days) }));
}

async function skipsOf({ db, org_id, now }: Scope, { id }: Schedule): Promise<SkippedDate[]> {
  const [stored] = await schedules(db, org_id, () => now().toISOString()).nights(id);
  return stored?.skips ?? [];
}

/** What is no text is no time, as the check of the input will say. */
function isUnchanged(asked: unknown, before: string): boolean {
  return typeof asked === "string" && isSameMinute(asked, before);
}

function kept(asked: unknown, before: unknown, isSame: boolean): unknown {
  if (asked !== undefined) return asked;
  return isSame ? before : null;
}
