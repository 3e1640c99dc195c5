/**
 * A memo of at most `kept` answers; calls `make` for other keys. When full, a new answer replaces a pseudo-randomly chosen
 * one, not the oldest: a caller that cycles through slightly more keys than fit would otherwise never find one.
 */
export function memoize<Key, Value>(kept: number): (key: Key, make: () => Value) => Value {
  const answers = new Map<Key, Value>();
  const places: Key[] = [];
  let step = 0;
  return (key, make) => {
    const known = answers.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (places.length < kept) places.push(key);
    else {
      step = nextStep(step);
      const [replaced] = places.splice(step % kept, 1, key);
      if (replaced !== undefined) answers.delete(replaced);
    }
    answers.set(key, made);
    return made;
  };
}

/** A deterministic linear congruential generator whose products stay exact in a double. */
function nextStep(step: number): number {
  return (step * 48_271 + 11) % 2_147_483_647;
}
