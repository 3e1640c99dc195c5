import { memoize } from "#domain/memoize";
import { DAY_MS, MINUTE_MS } from "./units";

/** An instant is epoch ms. A wall time is also epoch ms: the instant at which UTC's clocks show the same as the zone's. */

/** Shorter than the time between any zone's clock changes. */
const PROBE_MS = 14 * DAY_MS;
const ZONES_KEPT = 500;
const YEARS_KEPT = 500;

/** A period without clock changes, cut at the ends of a UTC year. */
type Season = { from: number; to: number; offset: number };
/** A zone's offsets in some years. */
export type Offsets = { year: number; seasons: Season[] }[];

/**
 * How far the zone's clocks are ahead of UTC at an instant, in ms (negative west of Greenwich).
 * Throws a RangeError for a zone that does not exist.
 */
export function offsetAt(zone: string, instant: number): number {
  return seasonAt(zone, instant).offset;
}

/** The wall time in the zone at an instant. */
export function toWall(zone: string, instant: number): number {
  return instant + offsetAt(zone, instant);
}

/**
 * The instant of a wall time. One that does not exist (spring) moves forward by the gap; if it exists twice (autumn),
 * `prefer` chooses.
 */
export function toInstant(zone: string, wall: number, prefer: "first" | "last" = "first"): number {
  // No offset exceeds a day and no zone changes twice within two days, so one of these is in force.
  const before = offsetAt(zone, wall - DAY_MS);
  const after = offsetAt(zone, wall + DAY_MS);
  if (before === after) return wall - before;

  const candidates = [wall - before, wall - after].filter((instant) => toWall(zone, instant) === wall);
  if (candidates.length === 0) return wall - before;
  return prefer === "first" ? Math.min(...candidates) : Math.max(...candidates);
}

/**
 * toInstant for a sequence of nearby wall times: looks up the zone again only if its clocks may change between two.
 */
export function instantsOf(zone: string): (wall: number) => number {
  // Where the wall time of a season is one instant, and at which offset.
  let from = 0;
  let to = 0;
  let offset = 0;
  return (wall) => {
    if (wall >= from && wall < to) return wall - offset;
    const season = seasonAt(zone, wall);
    from = season.from + DAY_MS;
    to = season.to - DAY_MS;
    offset = season.offset;
    return wall >= from && wall < to ? wall - offset : toInstant(zone, wall);
  };
}

/** The zone's offsets in the year of an instant and the years before and after it, for `seedOffsets`. */
export function offsetsAbout(zone: string, instant: number): Offsets {
  const year = new Date(instant).getUTCFullYear();
  return [year - 1, year, year + 1].map((each) => ({ year: each, seasons: seasonsOf(zone, each) }));
}

/** Spares the browser Intl's first look-up, which takes 20 ms, on a phone 100. */
export function seedOffsets(zone: string, offsets: Offsets): void {
  const years = yearsOf(zone);
  for (const { year, seasons } of offsets) years(year, () => seasons);
}

/** Converting is most of the cost of expanding a schedule. */
const zones = memoize<string, Years>(ZONES_KEPT);

type Years = (year: number, make: () => Season[]) => Season[];

const ALWAYS: Season = { from: -Infinity, to: Infinity, offset: 0 };

/** What was last asked for: mostly the same zone and season are asked for again. */
let latest = { zone: "", season: ALWAYS };

function seasonAt(zone: string, instant: number): Season {
  if (zone === "UTC") return ALWAYS;
  const { season } = latest;
  if (latest.zone === zone && season.from <= instant && instant < season.to) return season;
  const seasons = seasonsOf(zone, new Date(instant).getUTCFullYear());
  const found = seasons.find(({ to }) => instant < to);
  if (found) latest = { zone, season: found };
  return found ?? ALWAYS;
}

function seasonsOf(zone: string, year: number): Season[] {
  return yearsOf(zone)(year, () => seasonsBetween(zone, Date.UTC(year, 0), Date.UTC(year + 1, 0)));
}

function yearsOf(zone: string): Years {
  return zones(zone, () => memoize(YEARS_KEPT));
}

function seasonsBetween(zone: string, from: number, to: number): Season[] {
  let season = { from, to, offset: readOffset(zone, from) };
  const seasons = [season];
  for (let at = from; at < to; at += PROBE_MS) {
    const next = Math.min(at + PROBE_MS, to);
    const offset = readOffset(zone, next);
    if (offset === season.offset) continue;
    season.to = changeBetween(zone, at, next);
    season = { from: season.to, to, offset };
    seasons.push(season);
  }
  return seasons;
}

function changeBetween(zone: string, from: number, to: number): number {
  const offset = readOffset(zone, from);
  let low = from;
  let high = to;
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS;
    if (readOffset(zone, middle) === offset) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * Uses Intl rather than date-fns-tz, whose getTimezoneOffset reads dates through the host's zone: within half a day of a
 * clock change its answer differs between hosts in Los Angeles, Kiritimati and UTC. It is also 10 kB for the browser.
 */
function readOffset(zone: string, instant: number): number {
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)$/.exec(offsetFormat(zone).format(instant)) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
}

const formats = memoize<string, Intl.DateTimeFormat>(ZONES_KEPT);

function offsetFormat(zone: string): Intl.DateTimeFormat {
  return formats(zone, () => new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" }));
}
