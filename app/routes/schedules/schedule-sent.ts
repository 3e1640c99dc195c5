import { text, texts } from "#app/forms/form-answer";
import { inputOf } from "#app/forms/form-fields";
import { TIMEZONES } from "#domain/enums";
import { scheduleInput } from "#domain/schedule-schema";
import { draftSent, timesOf } from "./draft";

/** The schedule in a submitted form, for the service's schema. */
export function scheduleSent(form: FormData) {
  const zone = TIMEZONES.find((zone) => zone === text(form, "timezone"));
  return { ...inputOf(form, scheduleInput), ...(zone && timesOf(draftSent(texts(form)), zone)) };
}
