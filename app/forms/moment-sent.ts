import { fromLocalInput } from "#domain/time/display";
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
