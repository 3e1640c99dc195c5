/** The entry under a key that a request chose; nothing for what every object inherits, such as toString. */
export function own<Value>(entries: Record<string, Value>, key: string): Value | undefined {
  return Object.hasOwn(entries, key) ? entries[key] : undefined;
}
