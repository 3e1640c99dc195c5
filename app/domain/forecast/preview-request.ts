import type { Planned } from "#domain/resolve/claims";
import type { Target } from "#domain/schedule/target";

/** A schedule as it would be saved, and the lights that it is for: a target's, or these. */
export type PreviewRequest = { schedule: Planned; lights: Target | { device_ids: string[] } };

/** A window of the schedule, and what becomes of it. Instants are epoch ms. */
export type PreviewWindow = {
  start: number;
  end: number;
  /** When any of the lights is on. */
  lit: { from: number; to: number }[];
  /** Why lights stay dark in it: '2 of 8 lights: closed: wet ground'. */
  limits: string[];
};

/** Another schedule's window that overlaps one of these on one of the lights. */
export type Conflict = { schedule_id: string; title: string; start: number; end: number };

/** As many of the overlaps are answered, the soonest. */
export const MOST_CONFLICTS = 20;

/** What the engine answers; `devices` are the lights, `looked_at` how many of them it got to. */
export type Preview = {
  windows: PreviewWindow[];
  conflicts: Conflict[];
  devices: number;
  looked_at: number;
  isActive: boolean;
};
