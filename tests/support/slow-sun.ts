import { getTimes } from "suncalc";

/**
 * Times by the sun, worked out day by day: an oracle that shares the astronomy with the product, and
 * nothing else. The astronomy itself is held against an independent library's instants in tests/domain/sun.test.ts.
 */
export type SlowSunTime = {
  event: "sunrise" | "sunset" | "dawn" | "dusk";
  offset_min: number;
  not_before: string | null;
  not_after: string | null;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The instant on a date (the wall time of its midnight), or null; `instantOf` is the zone's clock. */
export function slowSunTime(
  sun: SlowSunTime,
  midnight: number,
  { lat, lon }: { lat: number; lon: number },
  instantOf: (wall: number) => number,
): number | null {
  const isLate = sun.event === "sunset" || sun.event === "dusk";
  const opens = instantOf(isLate ? midnight + 12 * HOUR : midnight);
  const closes = instantOf(isLate ? midnight + 36 * HOUR : midnight + DAY);
  const seen: number[] = [];
  for (let day = midnight - 4 * DAY; day <= midnight + 5 * DAY; day += DAY) {
    const time = sunOn(day, lat, lon)[sun.event];
    if (time !== null) seen.push(time);
  }
  const event = seen.toSorted((a, b) => a - b).find((time) => time >= opens && time < closes);
  if (event === undefined) return null;
  const bound = (clock: string) => {
    const [hour = 0, minute = 0] = clock.split(":").map(Number);
    const isNextDay = isLate && hour < 12;
    return instantOf(midnight + (isNextDay ? DAY : 0) + hour * HOUR + minute * MINUTE);
  };
  let time = event + sun.offset_min * MINUTE;
  if (sun.not_before && time < bound(sun.not_before)) time = bound(sun.not_before);
  if (sun.not_after && time > bound(sun.not_after)) time = bound(sun.not_after);
  return time;
}

type Seen = Record<SlowSunTime["event"], number | null>;

/** A night is looked for among ten days, and by many plans: of each day and place the sun is asked for once. */
const known = new Map<string, Seen>();

function sunOn(day: number, lat: number, lon: number): Seen {
  const key = `${day} ${lat} ${lon}`;
  const before = known.get(key);
  if (before) return before;
  const { sunrise, sunset, dawn, dusk } = getTimes(new Date(day), lat, lon);
  const made = { sunrise: inSeconds(sunrise), sunset: inSeconds(sunset), dawn: inSeconds(dawn), dusk: inSeconds(dusk) };
  if (known.size > 20_000) known.clear();
  known.set(key, made);
  return made;
}

/** Null where the sun does not do so that day. */
function inSeconds(time: Date | null): number | null {
  return time && Math.round(Number(time) / 1000) * 1000;
}
