import type { Position } from "./sun-time";
import { DAY_MS } from "#domain/time/units";
import { toIso } from "#domain/time/to-iso";

/** Longer than any window by the sun: what was replaced before that has no say any more. */
const REPLACED_KEPT_MS = 3 * DAY_MS;
/** Since when a position holds that was never another. */
export const ALWAYS = toIso(0);

/** A latitude and a longitude, in degrees. */
export type Coordinates = { lat: number; lon: number };

/** What an area knows of its place: where it is, if that is known, and where it has been in the last days. */
export type AreaPlace = {
  location: { lat?: number | undefined; lon?: number | undefined } | null;
  positions: readonly Position[] | null;
};

/** The city's position and where it has been in the last days, as settings. */
export type CityPlace = {
  CITY_LAT: number | null;
  CITY_LON: number | null;
  CITY_POSITIONS?: readonly Position[];
};

/** The setting that holds the city's positions; people see and write only where it is now. */
export const CITY_POSITIONS = "CITY_POSITIONS";

/** From where the sun of an area is seen, oldest first: its own position, else the city's; empty where neither is known. */
export function positionsOf(area: AreaPlace | null, city: CityPlace): readonly Position[] {
  const own = coordinatesOf(area?.location?.lat, area?.location?.lon);
  const known = area?.positions ?? [];
  if (own !== null) return endingWith(known, own);
  const ofCity = cityPositions(city);
  // An area whose own position was taken back a moment ago: the windows that began under it stand.
  const last = known.at(-1)?.since;
  return last === undefined ? ofCity : [...known, ...ofCity.filter(({ since }) => since > last)];
}

/** Where the city is and has been, oldest first; empty where that is not known. */
function cityPositions(city: CityPlace): readonly Position[] {
  const own = coordinatesOf(city.CITY_LAT, city.CITY_LON);
  return own === null ? [] : endingWith(city.CITY_POSITIONS ?? [], own);
}

/** An area's positions once its location is `next`; null where there is nothing to remember. `now` is epoch ms. */
export function movedArea(
  before: AreaPlace | null,
  next: AreaPlace["location"],
  city: CityPlace,
  now: number,
): Position[] | null {
  const known = before === null ? [] : positionsOf(before, city);
  const goal = coordinatesOf(next?.lat, next?.lon) ?? cityPositions(city).at(-1) ?? null;
  if (before !== null && goal !== null && isAt(known.at(-1), goal)) return [...known];
  return goal === null ? null : moved(known, goal, now);
}

/** The city's positions once it is at `next`. */
export function movedCity(before: CityPlace, next: Coordinates | null, now: number): Position[] {
  const known = cityPositions(before);
  if (next === null) return [];
  return isAt(known.at(-1), next) ? [...known] : moved(known, next, now);
}

function moved(known: readonly Position[], { lat, lon }: Coordinates, now: number): Position[] {
  const recent = known.filter((_, n) => Date.parse(known[n + 1]?.since ?? "9999-12-31") >= now - REPLACED_KEPT_MS);
  return [...recent, { lat, lon, since: recent.length === 0 ? ALWAYS : toIso(now) }];
}

/** A position that nobody noted when it came has always been. */
function endingWith(known: readonly Position[], own: Coordinates): readonly Position[] {
  return isAt(known.at(-1), own) ? known : [{ ...own, since: ALWAYS }];
}

function isAt(position: Coordinates | undefined, { lat, lon }: Coordinates): boolean {
  return position?.lat === lat && position.lon === lon;
}

function coordinatesOf(lat: number | null | undefined, lon: number | null | undefined): Coordinates | null {
  return typeof lat === "number" && typeof lon === "number" ? { lat, lon } : null;
}
