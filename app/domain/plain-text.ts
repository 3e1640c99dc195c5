/** Control characters but for tab and line breaks, which a text of several lines may have. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;
/** What turns the direction of the text around it: a name with it shows as another one. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;
/** Half of a character: it cannot be sent or stored as UTF-8. */
const BROKEN = /\p{Surrogate}/u;
const LINE_BREAK = /[\t\n\r\u2028\u2029]/;
/** Anything but spaces, controls, joiners and fillers. */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text of several lines holds only characters that can be stored and shown. */
export function isPlainText(text: string): boolean {
  return !CONTROL.test(text) && !DIRECTION.test(text) && !BROKEN.test(text);
}

/** The same for a text of one line. */
export function isPlainLine(text: string): boolean {
  return isPlainText(text) && !LINE_BREAK.test(text);
}

/** Whether a person sees anything of it. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}
