import { text, type Handler, type Outcome } from "#app/forms/form-answer";
import { endSent } from "#app/forms/moment-sent";
import { targetOfValue } from "#app/forms/target-value";
import { toggleOutcome } from "#app/routes/devices/toggle-handler";
import { TOGGLE_ACTIONS, type ToggleAction } from "#domain/enums";
import type { ToggleRow } from "#domain/records/records";
import type { Services } from "#worker/context";
import { endOf } from "./end-choices";
import { failedWords, manyWords } from "./switch-words";

/** Handles a toggle with an end, a reason or for many lights. */
export function switchHandler(services: Services, form: FormData): Handler {
  return {
    run: async () => {
      const { APP_TIMEZONE: zone } = await services.settings.find();
      const { type, id } = targetOfValue(text(form, "id"));
      const wish = wishSent(form, zone);
      if (type === "device") return toggleOutcome(wish.action, await services.devices.toggle(id, wish));
      const rows = type === "area" ? services.areas.toggle(id, wish) : services.groups.toggle(id, wish);
      const { devices } = await services.devices.choices({ area: text(form, "area_id") });
      return toldMany(wish.action, await rows, new Map(devices.map(({ id, name }) => [id, name])));
    },
  };
}

function wishSent(form: FormData, zone: string) {
  const choice = text(form, "action");
  const emergency = choice === "emergency";
  const action = emergency ? "on" : (TOGGLE_ACTIONS.find((known) => known === choice) ?? "off");
  const now = Date.now();
  const until = endOf(text(form, "end"), endSent(form, "until", zone, now), now);
  const reason = text(form, "reason").trim();
  return {
    action,
    ...(until === undefined ? {} : { until }),
    ...(reason === "" ? {} : { reason }),
    ...(emergency ? { emergency } : {}),
  };
}

/** What failed is told light by light, the first of them; what is still tried is not a failure. */
function toldMany(action: ToggleAction, rows: ToggleRow[], names: Map<string, string>): Outcome {
  const failed = rows.filter(({ success, pending }) => !success && !pending);
  const lines = failed.map(({ device_id, detail }) => `${names.get(device_id) ?? "A light"}: ${detail ?? "failed"}`);
  return { ok: failed.length === 0, toast: manyWords(action, rows), detail: failedWords(lines) };
}
