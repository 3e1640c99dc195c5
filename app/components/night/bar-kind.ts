import type { NightBar } from "#domain/tonight/tonight";

/** How a bar is drawn: by its why, or as one that was skipped. */
export function barKind({ why, isSkipped }: Pick<NightBar, "why" | "isSkipped">): NightBar["why"] | "skipped" {
  return isSkipped ? "skipped" : why;
}
