/** American clocks, written from the law of summer time and not from the engine. */
const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

const STANDARD: Record<string, number> = {
  UTC: 0,
  "America/Los_Angeles": -8,
  "America/Denver": -7,
  "America/Chicago": -6,
  "America/New_York": -5,
};

/** What the clocks of the zone are ahead of UTC: an hour more from March's second Sunday to November's first, at 2:00. */
function offsetOf(zone: string, at: number): number {
  const standard = (STANDARD[zone] ?? 0) * HOUR;
  if (zone === "UTC") return 0;
  const year = new Date(at).getUTCFullYear();
  const begins = sunday(year, 2, 2) + 2 * HOUR - standard;
  const ends = sunday(year, 10, 1) + 2 * HOUR - standard - HOUR;
  return at >= begins && at < ends ? standard + HOUR : standard;
}

const sundays = new Map<string, number>();

function sunday(year: number, month: number, nth: number): number {
  const key = `${year} ${month}`;
  const known = sundays.get(key);
  if (known !== undefined) return known;
  const first = Date.UTC(year, month, 1);
  const made = first + (((7 - new Date(first).getUTCDay()) % 7) + 7 * (nth - 1)) * DAY;
  sundays.set(key, made);
  return made;
}

export function wallOf(zone: string, at: number): number {
  return at + offsetOf(zone, at);
}

/** A wall time that is skipped moves forward by the gap; of one that comes twice, the one asked for. */
export function instantOf(zone: string, wall: number, which: "first" | "last"): number {
  const standard = (STANDARD[zone] ?? 0) * HOUR;
  const both = [wall - standard - HOUR, wall - standard].filter((at) => wallOf(zone, at) === wall);
  const [first, last] = [both[0] ?? wall - standard, both.at(-1) ?? wall - standard];
  return which === "first" ? first : last;
}

/** 'YYYY-MM-DD' of a wall time. */
export function dateOf(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}
