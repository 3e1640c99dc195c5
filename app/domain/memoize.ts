/**
 * What `make` answers for a key, made once. A memo that holds `kept` answers is emptied before it takes another: what is
 * asked again is made again, and nothing grows without end.
 */
export function remembered<Key, Value>(memo: Map<Key, Value>, key: Key, kept: number, make: () => Value): Value {
  const known = memo.get(key);
  if (known !== undefined) return known;
  if (memo.size >= kept) memo.clear();
  const made = make();
  memo.set(key, made);
  return made;
}
