import type { FirstSteps } from "./first-steps";
import type { Page } from "./list-query";
import type { AreaSummary } from "./records";

/** What all areas of a city come to, as far as the person's departments let them see it; `next_event` is ISO. */
export type DashboardTotals = Pick<
  AreaSummary,
  "hubs_online" | "hubs_total" | "devices_on" | "devices_total" | "problems" | "next_event"
>;

/** A page of areas, what all of them come to, and what the first light still needs; null once something is scheduled. */
export type DashboardPage = Page<AreaSummary> & { totals: DashboardTotals; steps: FirstSteps | null };
