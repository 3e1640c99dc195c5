import type { Timezone } from "./enums";

/** One concrete start and end of a schedule, in epoch milliseconds; half-open. */
export type Occurrence = { start: number; end: number };

/** What expansion needs of a schedule: ISO instants, a rule or null, and the zone it repeats in. */
export type Recurring = {
  start_at: string;
  end_at: string;
  rrule: string | null;
  timezone: string;
};

/** The guardrails that resolve knows, and the zone their wall-clock times are in. */
export type Guardrails = {
  HARD_CURFEW_OFF: string;
  BLACKOUT_WINDOW: string;
  MAX_ON_DURATION_MIN: number;
  zone: Timezone;
};
