import type { CalendarRule, Timezone } from "#domain/enums";
import type { Position, SunTime } from "./sun-time";

/** From an instant up to another one, in epoch milliseconds; half-open. */
export type Span = { start: number; end: number };

/**
 * One concrete start and end of a schedule. Its `date` ('YYYY-MM-DD') is that of the recurrence in the schedule's zone:
 * what begins after midnight by the sun still belongs to the evening before.
 */
export type Occurrence = Span & { date: string };

/** A date, 'YYYY-MM-DD', with whatever is known of it. */
export type Dated = { date: string };

/**
 * The inputs of expansion: ISO instants of the first occurrence, a rule or null, and the zone in which it repeats. What it
 * may have besides: times by the sun with the positions of its place (oldest first), dates on which it does not
 * happen, and a calendar whose dates it skips, or happens on only, with its name where people are told of it.
 */
export type Recurring = {
  start_at: string;
  end_at: string;
  rrule: string | null;
  timezone: string;
  start_sun?: SunTime | null;
  end_sun?: SunTime | null;
  positions?: readonly Position[];
  skips?: readonly Dated[] | null;
  calendar?: { rule: CalendarRule; dates: readonly Dated[]; name?: string } | null;
};

/** The guardrails for resolve, and the zone of their wall-clock times. */
export type Guardrails = {
  HARD_CURFEW_OFF: string;
  BLACKOUT_WINDOW: string;
  MAX_ON_DURATION_MIN: number;
  zone: Timezone;
};
