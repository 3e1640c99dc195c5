import { assertNever } from "#domain/assert-never";
import type { SchedulerEvent } from "./records";

/** `alarm` if somebody may have to act, `warning` while the engine is still trying. */
export type EventTone = "good" | "calm" | "warning" | "alarm";

/**
 * The color of a scheduler event; its badge's text stays the result. A replaced toggle, a window that a rule cut and an ON
 * that a rule refused are as intended and need no action. Events from before causes were stored go by their result.
 */
export function eventTone({ result, cause }: Pick<SchedulerEvent, "result" | "cause">): EventTone {
  switch (cause) {
    case "replaced":
    case "dropped":
    case "cut":
    case "refused":
      return "calm";
    case "skipped":
    case "external":
      return "warning";
    case "missed":
    case "fault":
      return "alarm";
    case "attempt":
    case null:
      return result === "ok" ? "good" : result === "retry" ? "warning" : "alarm";
    default:
      return assertNever(cause);
  }
}
