/** What else the query string says of the view; a form that is sent would replace it by its own fields. */
export function KeptFields({ asked, own }: { asked: URLSearchParams; own: string[] }) {
  return keptOf(asked, own).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}

/** Where in a list one was is of no use in another view of it. */
export function keptOf(asked: URLSearchParams, own: string[]): [string, string][] {
  return [...asked].filter(([name]) => ![...own, "page", "cursor"].includes(name));
}
