/** The middle, the 99th of a hundred and the most of some numbers. */
export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { median: at(0.5), p99: at(0.99), most: sorted.at(-1) };
}
