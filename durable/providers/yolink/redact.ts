/** The far end's own words, without anything that could be a token. */
export function redact(desc: string): string {
  return desc
    .replace(/[\w+/=.-]{16,}/g, "…")
    .replace(/[^ -~…]/g, "")
    .slice(0, 80);
}
