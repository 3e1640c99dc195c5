/** Hidden fields for the rest of the query string, which submitting the form would drop. */
export function KeptFields({ asked, own }: { asked: URLSearchParams; own: string[] }) {
  return keptOf(asked, own).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}

/** Drops the page number and the cursor, which other filters invalidate. */
export function keptOf(asked: URLSearchParams, own: string[]): [string, string][] {
  return [...asked].filter(([name]) => ![...own, "page", "cursor"].includes(name));
}
