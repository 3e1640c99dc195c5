import type { Handler } from "#app/forms/form-answer";
import type { ToggleResult } from "#domain/records";

/** A press: its answer may be no without being an error (spec 8: 'an unsuccessful response'). */
export function toggleHandler(action: string, toggle: (action: string) => Promise<ToggleResult>): Handler {
  return {
    done: `Device turned ${action} successfully`,
    run: async () => {
      const { success, detail } = await toggle(action);
      return success ? undefined : { ok: false, toast: `Failed to turn ${action} device`, detail };
    },
  };
}
