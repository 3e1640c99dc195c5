import type { Handler, Outcome } from "#app/forms/form-answer";
import type { ToggleResult } from "#domain/records/records";

/** Handles a toggle: on, off, or auto for the way back to the schedule. */
export function toggleHandler(action: string, toggle: (action: string) => Promise<ToggleResult>): Handler {
  return { run: async () => toggleOutcome(action, await toggle(action)) };
}

/** The answer may be unsuccessful without being an error. After a toggle with an end, `detail` names that end. */
export function toggleOutcome(action: string, { success, detail }: ToggleResult): Outcome {
  if (!success) return { ok: false, toast: FAILED[action] ?? `Failed to turn ${action} device`, detail };
  const at = new Date().toISOString();
  return { ok: true, toast: DONE[action] ?? detail ?? `Device turned ${action} successfully`, detail: null, at };
}

const DONE: Record<string, string> = { auto: "Device returned to its schedule" };
const FAILED: Record<string, string> = { auto: "Failed to return the device to its schedule" };
