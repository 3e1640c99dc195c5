import { assertNever } from "./assert-never";
import type { SchedulerEvent } from "./records";

/** How an event is shown: `alarm` where somebody may have to do something, `warning` where the engine is still at it. */
export type EventTone = "good" | "calm" | "warning" | "alarm";

/**
 * The colour of a scheduler event; its badge's text stays the result. A press that a newer one replaced, a window that a
 * rule cut or an ON that a rule refused went as it should: nobody has to do anything. Events from before causes were kept
 * go by their result.
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
