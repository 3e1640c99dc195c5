/** The first of some instants (epoch ms), of which null stands for never; null if there is none. */
export function earliest(...instants: (number | null)[]): number | null {
  const known = instants.filter((instant) => instant !== null);
  return known.length === 0 ? null : Math.min(...known);
}
