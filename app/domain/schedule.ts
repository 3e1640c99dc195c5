import type { Timezone } from "./enums";

/** One concrete start and end of a schedule, in epoch milliseconds; half-open. */
export type Occurrence = { start: number; end: number };

/** The inputs of expansion: ISO instants, a rule or null, and the zone in which it repeats. */
export type Recurring = {
  start_at: string;
  end_at: string;
  rrule: string | null;
  timezone: string;
};

/** The guardrails for resolve, and the zone of their wall-clock times. */
export type Guardrails = {
  HARD_CURFEW_OFF: string;
  BLACKOUT_WINDOW: string;
  MAX_ON_DURATION_MIN: number;
  zone: Timezone;
};
