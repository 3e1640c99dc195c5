import { fromLocalInput, toLocalInput } from "#domain/time/display";
import { toInstant, toWall } from "#domain/time/wall-clock";
import { zoneNamed } from "#domain/time/zone-named";
import { text } from "#app/forms/form-answer";
import { toIso } from "#domain/time/to-iso";

/**
 * The instant (ISO 8601) of a `MomentField`; null if both its parts are empty. What is half typed is '', so that the schema
 * names the field. It is by the zone that the form has shown, which may not be the city's (`zone`) any more; what is as it was
 * shown stays to the second, and in its hour where that comes twice.
 */
export function momentSent(form: FormData, name: string, zone: string): string | null {
  const [date, time] = [text(form, `${name}_date`), text(form, `${name}_time`)];
  if (date === "" && time === "") return null;
  const shown = text(form, `${name}_shown`);
  const typed_in = zoneSent(form, name, zone);
  const before = toLocalInput(shown, typed_in);
  if (before.date === date && before.time === time) return shown;
  const at = fromLocalInput({ date, time }, typed_in);
  return at === null ? "" : toIso(at);
}

/**
 * The same for when something ends. In the night in which clocks go back an hour comes twice: who says, in the second one,
 * until when something lasts means the time that is to come, since the first is over. `now` is epoch ms.
 */
export function endSent(form: FormData, name: string, zone: string, now: number): string | null {
  const end = momentSent(form, name, zone);
  if (!end || Date.parse(end) > now) return end;
  const typed_in = zoneSent(form, name, zone);
  return new Date(toInstant(typed_in, toWall(typed_in, Date.parse(end)), "last")).toISOString();
}

function zoneSent(form: FormData, name: string, zone: string): string {
  return zoneNamed(text(form, `${name}_zone`)) ?? zone;
}
