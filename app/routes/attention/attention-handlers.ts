import { text, type Handler } from "#app/forms/form-answer";
import { pinged } from "#app/routes/connectivity/outcomes";
import { toggleHandler } from "#app/routes/devices/toggle-handler";
import type { SignedIn } from "#worker/context";

/** Handles the buttons of 'Needs attention', for the action of each screen that shows it. */
export function attentionHandlers({ devices, connectivity }: SignedIn["services"], form: FormData) {
  const id = text(form, "id");
  return {
    toggle: toggleHandler(text(form, "action"), (action) => devices.toggle(id, { action })),
    ping: pinged(() => connectivity.pingHub({ hub_id: id })),
  } satisfies Record<string, Handler>;
}
