const [SEC, MIN, HOUR] = [1_000, 60_000, 3_600_000];

/** The waits between tries: more than a day in all, so that an outage that people mend the next morning loses nothing. */
const WAITS_MS = [5 * SEC, 5 * MIN, 30 * MIN, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR];

/** How long a webhook's message waits after `failures` tries in vain (ms); null where it is given up. */
export function webhookWait(failures: number): number | null {
  return WAITS_MS[failures - 1] ?? null;
}
