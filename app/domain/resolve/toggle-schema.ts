import { z } from "zod";
import { TOGGLE_ACTIONS, type ToggleAction } from "#domain/enums";
import { flag, instant, oneOf, optionalLine } from "#domain/fields/fields";
import { MAX_EMERGENCY_MS, MAX_HOLD_MS, MAX_TITLE } from "#domain/fields/limits";

/** A person's ON or OFF, with an end if they like, or the way back to the schedule. */
export const toggleInput = z.object(
  {
    action: oneOf("Action", TOGGLE_ACTIONS).describe("auto: back to the schedule"),
    until: instant("The end must be a date and time").nullable().optional(),
    reason: optionalLine("Reason", MAX_TITLE),
    emergency: flag("Emergency").optional(),
  },
  `Action must be one of: ${TOGGLE_ACTIONS.join(", ")}`,
);
export type ToggleInput = z.infer<typeof toggleInput>;

/** What the engine is asked for; what was not said is absent. */
export type ToggleWish = { action: ToggleAction; until?: string; reason?: string; emergency?: true };

/** Why the input cannot be asked for at an instant, as a field and a message; null if it can. */
export function toggleProblem(input: ToggleInput, now: Date): { field: keyof ToggleInput; detail: string } | null {
  const { action, until, reason, emergency } = input;
  if (action === "auto" && until) return { field: "until", detail: "Back to the schedule has no end" };
  if (emergency && action !== "on") return { field: "emergency", detail: "An emergency turns lights on" };
  if (emergency && !until) return { field: "until", detail: "An emergency needs an end" };
  if (emergency && !reason) return { field: "reason", detail: "An emergency needs a reason" };
  if (!until) return null;
  const ahead_ms = Date.parse(until) - now.getTime();
  if (ahead_ms <= 0) return { field: "until", detail: "The end must be in the future" };
  if (emergency && ahead_ms > MAX_EMERGENCY_MS)
    return { field: "until", detail: "An emergency lasts at most 12 hours" };
  return ahead_ms > MAX_HOLD_MS ? { field: "until", detail: "The end must be within 24 hours" } : null;
}

/** The input as the engine is asked. */
export function wishOf({ action, until, reason, emergency }: ToggleInput): ToggleWish {
  return { action, ...(until && { until }), ...(reason && { reason }), ...(emergency && { emergency }) };
}
