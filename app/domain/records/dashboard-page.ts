import type { FirstSteps } from "./first-steps";
import type { Page } from "#domain/lists/list-query";
import type { AreaSummary, MayWrite } from "./records";

/**
 * What all areas of a city come to, as far as the person's departments let them see it; `next_event` is ISO. `unknown` counts
 * lights of which nobody can tell whether they are lit.
 */
export type DashboardTotals = Pick<
  AreaSummary,
  "hubs_online" | "hubs_total" | "devices_on" | "devices_total" | "problems" | "next_event"
> & { areas_active: number; hubs_away: number; unknown: number };

/** A schedule that begins or ends at the next event, and the light, group or area that it is for. */
export type NextUp = { title: string; place: string; begins: boolean };

/**
 * What limits ON at the moment: the city's dark hours in words (null without any), how many areas, types or groups have
 * hours of their own, and how many closures are in force.
 */
export type LimitsNow = { dark: string | null; own_hours: number; closures: number };

/** A page of areas, what all of them come to, and what the first light still needs; null once something is scheduled. */
export type DashboardPage = Page<AreaSummary & MayWrite> & {
  totals: DashboardTotals;
  next: NextUp[];
  limits: LimitsNow;
  steps: FirstSteps | null;
};

/** So many that come next are read at most; nobody counts a city's whole evening for a card. */
export const MOST_NEXT = 10;

/** 'Practice begins: Court light', of several 'Practice ends, 2 more'; null where nothing is to come. */
export function nextUpWords([first, ...others]: readonly NextUp[]): string | null {
  if (!first) return null;
  const what = `${first.title} ${first.begins ? "begins" : "ends"}`;
  if (others.length === 0) return `${what}: ${first.place}`;
  const isCut = others.length + 1 >= MOST_NEXT;
  return `${what}, ${isCut ? "at least " : ""}${others.length} more`;
}
