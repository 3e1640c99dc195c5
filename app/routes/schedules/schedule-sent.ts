import { text, texts } from "#app/forms/form-answer";
import { inputOf } from "#app/forms/form-fields";
import { SEVERAL, targetOfValue } from "#app/forms/target-value";
import { scheduleInput } from "#domain/schedule/schedule-schema";
import { zoneNamed } from "#domain/time/zone-named";
import { draftSent, timesOf } from "./draft";
import { withoutSkippedHour } from "./skipped-hour";

/**
 * The schedule in a form that is submitted at `now` (epoch ms), for the service's schema. Refuses with `invalid` a series whose
 * first night lacks one of its hours.
 */
export function scheduleSent(form: FormData, now: number) {
  const zone = zoneNamed(text(form, "timezone"));
  const draft = draftSent(texts(form));
  return {
    ...inputOf(form, scheduleInput),
    ...targetSent(form),
    ...calendarSent(form),
    ...(zone && timesOf(withoutSkippedHour(draft, zone, now), zone, now)),
  };
}

function calendarSent(form: FormData) {
  const calendar_id = text(form, "calendar_id") || null;
  return { calendar_id, calendar_rule: calendar_id && (text(form, "calendar_rule") || "skip") };
}

/** Several ticked lights make a group without a name. An empty choice is left to the schema. */
function targetSent(form: FormData) {
  const value = text(form, "device_id");
  if (value === "") return { device_id: "" };
  if (value === SEVERAL) return { device_id: null, target: { type: "group", device_ids: form.getAll("device_ids") } };
  const target = targetOfValue(value);
  return { device_id: target.type === "device" ? target.id : null, target };
}

/** The night by the start of its window, so that after midnight 'tonight' is the one that runs. */
export function skipSent(form: FormData) {
  return { start_at: text(form, "start_at"), reason: text(form, "reason") };
}

/** A skipped night by its date, or, where it was skipped a moment ago, as it was then. */
export function nightSent(form: FormData) {
  const start_at = text(form, "start_at");
  return start_at ? { start_at } : { date: text(form, "date") };
}
