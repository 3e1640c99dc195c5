/**
 * A schedule's rule in words, which are by its own clock, on a screen whose times are by `zone`: '..., never ends
 * (America/Los_Angeles)' of one from before the city changed its zone, or that an API client sent.
 */
export function wordsByZone({ words, timezone }: { words: string; timezone: string }, zone: string): string {
  return timezone === zone ? words : `${words} (${timezone})`;
}
