import type { Handler } from "#app/forms/form-answer";
import type { ToggleResult } from "#domain/records";

/** Handles a toggle. The answer may be unsuccessful without being an error. */
export function toggleHandler(action: string, toggle: (action: string) => Promise<ToggleResult>): Handler {
  return {
    done: `Device turned ${action} successfully`,
    run: async () => {
      const { success, detail } = await toggle(action);
      return success ? undefined : { ok: false, toast: `Failed to turn ${action} device`, detail };
    },
  };
}
