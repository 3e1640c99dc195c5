import { asShown } from "#domain/fields/plain-text";

const MOST = 40;

/** A cell's text in a sentence: short, and without what cannot be shown. */
export function quoted(text: string): string {
  const shown = asShown(text, "\ufffd");
  return `"${shown.length > MOST ? `${[...shown].slice(0, MOST).join("")}...` : shown}"`;
}
