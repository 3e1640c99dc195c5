const MOST = 40;
/** What would be invisible in a sentence, or turn it round. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A cell's text in a sentence: short, and without what cannot be shown. */
export function quoted(text: string): string {
  const shown = text.replace(UNSHOWN, "\ufffd");
  return `"${shown.length > MOST ? `${[...shown].slice(0, MOST).join("")}...` : shown}"`;
}
