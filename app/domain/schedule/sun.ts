import { getTimes } from "suncalc";
import { memoize } from "#domain/memoize";
import { SUN_EVENTS, type Position, type SunEvents } from "./sun-time";
import { DAY_MS } from "#domain/time/units";

const SECOND_MS = 1_000;
/** How many days are kept together, and of how many places and months: 4 MB at most. */
const DAYS = 32;
const TABLES_KEPT = 4_000;
/** In a table: not asked for yet; a sun that does not rise or set that day is Infinity. */
const UNKNOWN = NaN;

/**
 * The sun as seen from a place: to the second, dawn and dusk civil. Rounded, so that a browser and a server whose sines
 * differ in the last bit agree.
 */
export function sunAt({ lat, lon }: Pick<Position, "lat" | "lon">): SunEvents {
  const place = `${lat} ${lon} `;
  let kept = NaN;
  let table: Float64Array = new Float64Array();
  const instantOf = (event: number, day: number): number => {
    const block = Math.floor(day / DAYS);
    if (block !== kept) {
      table = tables(place + block, emptyTable);
      kept = block;
    }
    const row = (day - block * DAYS) * SUN_EVENTS.length;
    if (Number.isNaN(table[row])) fill(table, row, day, lat, lon);
    return table[row + event] ?? Infinity;
  };
  return (event, from, to) => {
    const column = SUN_EVENTS.indexOf(event);
    // A solar day is that whose noon lies in this day of UTC: its events are up to half a day before or after.
    const today = Math.floor(from / DAY_MS);
    for (let day = today - 1; day <= today + 2; day += 1) {
      const instant = instantOf(column, day);
      if (instant >= from && instant < to) return instant;
    }
    return null;
  };
}

/** Cached by place and month: an evaluation needs the same few days again, and a city's schedules share few places. */
const tables = memoize<string, Float64Array>(TABLES_KEPT);

function emptyTable(): Float64Array {
  return new Float64Array(DAYS * SUN_EVENTS.length).fill(UNKNOWN);
}

function fill(table: Float64Array, row: number, day: number, lat: number, lon: number): void {
  const times = getTimes(new Date(day * DAY_MS + DAY_MS / 2), lat, lon);
  for (const [column, event] of SUN_EVENTS.entries()) {
    const time = times[event];
    table[row + column] = time === null ? Infinity : Math.round(time.getTime() / SECOND_MS) * SECOND_MS;
  }
}
