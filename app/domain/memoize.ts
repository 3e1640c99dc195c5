/**
 * A memo of at most `kept` answers: asks `make` for a key it does not hold. When it is full, each new answer replaces one
 * held at a spread-out place, not the oldest: whoever asks for slightly more keys than fit, over and over in one order,
 * would always find the oldest replaced just before it is asked for again, and the memo would never answer.
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

/** Spreads like chance, yet the same every time: a linear congruential step whose products stay exact in a double. */
function nextStep(step: number): number {
  return (step * 48_271 + 11) % 2_147_483_647;
}
