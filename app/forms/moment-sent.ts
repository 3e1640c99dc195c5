import { fromLocalInput } from "#domain/time/display";
import { toInstant, toWall } from "#domain/time/wall-clock";
import { text } from "#app/forms/form-answer";

/**
 * The instant (ISO 8601) of a `MomentField`; null if both its parts are empty. What is half typed is '', so that the schema
 * names the field.
 */
export function momentSent(form: FormData, name: string, zone: string): string | null {
  const [date, time] = [text(form, `${name}_date`), text(form, `${name}_time`)];
  if (date === "" && time === "") return null;
  const at = fromLocalInput({ date, time }, zone);
  return at === null ? "" : new Date(at).toISOString();
}

/**
 * The same for when something ends. In the night in which clocks go back an hour comes twice: who says, in the second one,
 * until when something lasts means the time that is to come, since the first is over. `now` is epoch ms.
 */
export function endSent(form: FormData, name: string, zone: string, now: number): string | null {
  const end = momentSent(form, name, zone);
  if (!end || Date.parse(end) > now) return end;
  return new Date(toInstant(zone, toWall(zone, Date.parse(end)), "last")).toISOString();
}
