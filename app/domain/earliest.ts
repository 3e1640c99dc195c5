/** The earliest of some instants (epoch ms); null means never. */
export function earliest(...instants: (number | null)[]): number | null {
  const known = instants.filter((instant) => instant !== null);
  return known.length === 0 ? null : Math.min(...known);
}
