/** A pseudo-random number from 0 to 1 that depends on the text only, so that the demo city is the same every time. */
export function random(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 0x1_0000_0000;
}

export function pick<T>(text: string, from: readonly [T, ...T[]]): T {
  return from[Math.floor(random(text) * from.length)] ?? from[0];
}
