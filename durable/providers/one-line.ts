const UNSHOWN = /[\s\p{Cc}\p{Cf}\p{Cs}]+/gu;

/** Text of others on one line: without what cannot be shown, `most` characters at most. */
export function oneLine(text: string, most: number): string {
  return [...text.replace(UNSHOWN, " ").trim()].slice(0, most).join("");
}
