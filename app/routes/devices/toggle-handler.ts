import type { Handler } from "#app/forms/form-answer";
import type { ToggleResult } from "#domain/records";

/** Handles a toggle. The answer may be unsuccessful without being an error. */
export function toggleHandler(action: string, toggle: (action: string) => Promise<ToggleResult>): Handler {
  return {
    run: async () => {
      const { success, detail } = await toggle(action);
      if (!success) return { ok: false, toast: `Failed to turn ${action} device`, detail };
      const at = new Date().toISOString();
      return { ok: true, toast: `Device turned ${action} successfully`, detail: null, at };
    },
  };
}
