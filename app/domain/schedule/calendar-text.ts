import { Refusal } from "#domain/errors";
import { utf8Text } from "#domain/fields/utf8";

const NOT_UTF8 =
  "This file is not in UTF-8, so letters such as 'é' would be garbled. Save it in UTF-8 and choose that file";

/** The text of a calendar file as it was sent. Refuses with `invalid` one in another encoding. */
export function calendarText(bytes: ArrayBuffer): string {
  const text = utf8Text(bytes);
  if (text === null) throw new Refusal("invalid", NOT_UTF8, { fields: { ics: NOT_UTF8 } });
  return text;
}
