/** The own entry under a key from a request, but nothing inherited such as toString. */
export function own<Value>(entries: Record<string, Value>, key: string): Value | undefined {
  return Object.hasOwn(entries, key) ? entries[key] : undefined;
}
