/** An instant (epoch ms) as ISO 8601. */
export function toIso(instant: number): string {
  return new Date(instant).toISOString();
}
