/** A light in words: why it is on or off, and why an ON would be refused now, or null. */
export type Told = { sentence: string; refusal: string | null };

/** The one refusal of all lights of a page; null where some may go on, or they differ. */
export function commonRefusal(refusals: (string | null)[]): string | null {
  const [first = null] = refusals;
  return refusals.every((refusal) => refusal === first) ? first : null;
}
