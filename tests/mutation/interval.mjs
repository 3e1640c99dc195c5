const Z = 1.96;

/**
 * Between which shares that of all lies with 95 % certainty, where `found` of `n` of a sample were found (Wilson's score
 * interval: never below none or above all of them).
 */
export function interval(found, n) {
  const share = found / n;
  const weight = 1 + Z ** 2 / n;
  const center = (share + Z ** 2 / (2 * n)) / weight;
  const margin = (Z / weight) * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2));
  return [Math.max(0, center - margin), Math.min(1, center + margin)];
}
