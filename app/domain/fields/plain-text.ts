/** Control characters, except tab and line breaks, which a text of several lines may have. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;
/** Characters that change the text direction, with which a name could look like another one. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;
/** A lone surrogate, which cannot be encoded as UTF-8. */
const BROKEN = /\p{Surrogate}/u;
const LINE_BREAK = /[\t\n\r\u2028\u2029]/;
/** All of these at once. Joiners and marks of direction are letters' own, without which words and emoji fall apart. */
const NOT_PLAIN = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;
/** What would be invisible in a sentence, or turn it round. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** A visible character: not a space, control, joiner or filler. */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text of several lines holds only characters that can be stored and shown. */
export function isPlainText(text: string): boolean {
  return !CONTROL.test(text) && !DIRECTION.test(text) && !BROKEN.test(text);
}

/** The same for a text of one line. */
export function isPlainLine(text: string): boolean {
  return isPlainText(text) && !LINE_BREAK.test(text);
}

/** A text from elsewhere as `isPlainLine` takes it: `instead` stands for each character that cannot be stored or shown. */
export function asPlainLine(text: string, instead: string): string {
  return text.replaceAll(NOT_PLAIN, instead);
}

/** The same also for joiners and marks of direction, in what no letters need them for. */
export function asShown(text: string, instead: string): string {
  return text.replaceAll(UNSHOWN, instead);
}

/** Whether it has a visible character. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}
