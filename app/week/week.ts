import type { Timezone } from "#domain/enums";
import type { Choice } from "#domain/lists/list-query";
import type { SunTime } from "#domain/schedule/sun-time";
import type { Target } from "#domain/schedule/target";
import type { Shade } from "#domain/tonight/tonight-records";
import type { WeekFrame } from "./week-frame";

/** A schedule that has a window in the week. `lights` counts those of the chosen place that it is for. */
export type WeekSchedule = {
  id: string;
  title: string;
  target: Target & { name: string };
  lights: number;
  start_sun: SunTime["event"] | null;
  end_sun: SunTime["event"] | null;
  repeats: boolean;
  /** Neither completed nor canceled, so that it can be changed. */
  is_open: boolean;
  /** Whether the person may write all lights that it is for, be they of the place or not. */
  may_write: boolean;
  /** Its recurrence: 'Every Tue and Thu, 6:00 PM - 10:00 PM, until Tue, Dec 15'. */
  words: string;
  who: string | null;
};

/** Why lights of a window stay dark, from when to when (epoch ms), and how many of them. */
export type WeekLimit = { from: number; to: number; words: string; lights: number };

/** One window of a schedule, with the date by which it is skipped. Instants are epoch ms. */
export type WeekWindow = {
  schedule_id: string;
  date: string;
  start: number;
  end: number;
  /** Left out by a person or a calendar, with the reason if there is one; null if it happens. */
  skipped: { by: "person" | "calendar"; reason: string | null } | null;
  /** When all of its lights stay dark although it runs. */
  dark: { from: number; to: number }[];
  limits: WeekLimit[];
};

/** How much is known of what limits cut: all, some of many lights, or nothing, since the engine is away; or not so far ahead. */
export type Foreseen = "all" | "some" | "away" | "beyond";

/** What the schedules of an area or a group come to in seven nights. */
export type Week = {
  frame: WeekFrame;
  now: number;
  zone: Timezone;
  /** Null where the organization has no area. */
  area: (Choice & { active: boolean }) | null;
  group: Choice | null;
  areas: Choice[];
  /** The named groups of the area. */
  groups: (Choice & { lights: number })[];
  /** The visible lights of the place. */
  lights: number;
  /** Whether its area has others, of departments that are hidden from the person. */
  hides: boolean;
  /** Those with a window in the week, as many as fit; `more` counts the others. */
  schedules: WeekSchedule[];
  more: number;
  windows: WeekWindow[];
  /** The dark hours of the area's curfew and blackout. */
  shade: Shade[];
  foreseen: Foreseen;
};
