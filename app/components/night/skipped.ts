import type { NightBar } from "#domain/tonight";

/** Whether the bar is of what somebody skipped: it is planned, and does not happen. */
export function isSkipped(bar: object): boolean {
  return "isSkipped" in bar;
}

/** How a bar is drawn: by its why, or as one that was skipped. */
export function lookOf(bar: Pick<NightBar, "why">): NightBar["why"] | "skipped" {
  return isSkipped(bar) ? "skipped" : bar.why;
}
