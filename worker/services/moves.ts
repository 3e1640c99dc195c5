import { forgetSunWindows } from "#db/coming-windows";
import { areas } from "#db/areas";
import { importMoves } from "#db/import-moves";
import { settings } from "#db/settings";
import { lightsBySun, movedSunSchedules, sunSchedules, type Moved } from "#db/sun-schedules";
import type { AreaInput } from "#domain/organization/area-schema";
import { Refusal } from "#domain/errors";
import { CITY_POSITIONS, movedArea, movedCity, type CityPlace } from "#domain/schedule/positions";
import type { Area } from "#domain/records/records";
import { areaNeedsPosition, cityNeedsPosition, moveNeedsPosition } from "#domain/schedule/sun-needs";
import type { Position } from "#domain/schedule/sun-time";
import type { Here } from "#worker/import/planner";
import { invalid } from "#worker/services/refuse";
import type { Scope, Statement } from "#worker/services/scope";

// A place that moves keeps the positions of its last days, since a window by the sun that has begun stands with the one
// under which it began, and what is stored of coming windows is forgotten. A position that schedules by the sun need
// cannot be taken away: they would silently stay dark.

/** What is written beside an area's own values when it is moved. */
type AreaMove = { values: { positions?: Position[] | null }; statements: Statement[] };

/** The positions of a new area. */
export async function firstPositions({ db, org_id, now }: Scope, { location }: AreaInput): Promise<Position[] | null> {
  return movedArea(null, location ?? null, await settings(db, org_id).city(), now().getTime());
}

/** Refuses with `invalid` to take away a position that is needed. An edit that does not name the location keeps it. */
export async function moveArea(scope: Scope, before: Area, { location }: AreaInput): Promise<AreaMove> {
  const { db, org_id, now } = scope;
  if (location === undefined || isSamePlace(before.location, location)) return { values: {}, statements: [] };
  const known = (await areas(db, org_id).positions(before.id))?.positions ?? null;
  const city = await settings(db, org_id).city();
  const positions = movedArea({ location: before.location, positions: known }, location, city, now().getTime());
  const [need] = positions === null ? await sunSchedules(db, org_id, now().toISOString(), [before.id]) : [];
  if (need) throw invalid("location.lat", areaNeedsPosition(need.schedules));
  return { values: { positions }, statements: [forgetSunWindows(db, org_id, before.id)] };
}

/** The same for the city, whose position is that of every area without one. */
export async function moveCity(
  { db, org_id, now }: Scope,
  { CITY_LAT, CITY_LON }: Pick<CityPlace, "CITY_LAT" | "CITY_LON">,
): Promise<Statement[]> {
  const repository = settings(db, org_id);
  const before = await repository.city();
  if (before.CITY_LAT === CITY_LAT && before.CITY_LON === CITY_LON) return [];
  const next = CITY_LAT === null || CITY_LON === null ? null : { lat: CITY_LAT, lon: CITY_LON };
  const needs = next === null ? await sunSchedules(db, org_id, now().toISOString()) : [];
  if (needs.length > 0) throw invalid("CITY_LAT", cityNeedsPosition(needs));
  const positions = movedCity(before, next, now().getTime());
  return [repository.save(CITY_POSITIONS, positions), forgetSunWindows(db, org_id)];
}

/**
 * What is written beside a light, a hub's lights or a group that is moved to an area. Refuses with `invalid` where its
 * schedules go by the sun and nobody knows the sun there: it would silently stay dark.
 */
export async function moveLights({ db, org_id, now }: Scope, area_id: string, moved: Moved): Promise<Statement[]> {
  const area = await areas(db, org_id).find(area_id);
  const { CITY_LAT } = await settings(db, org_id).city();
  const isPlaced = CITY_LAT !== null || typeof area?.location?.lat === "number";
  const schedules = isPlaced ? 0 : await movedSunSchedules(db, org_id, now().toISOString(), moved);
  if (schedules > 0) throw invalid("area_id", moveNeedsPosition(schedules));
  return [forgetSunWindows(db, org_id, area_id)];
}

/**
 * The positions of the areas that an import moves; it forgets all windows by the sun anyway. Refuses with `conflict` where
 * since the check a position came to be needed, or a light that it moves.
 */
export async function moveImported({ db, org_id, now }: Scope, import_id: string): Promise<Statement[]> {
  const repository = importMoves(db, org_id, import_id);
  const city = await settings(db, org_id).city();
  const unplaced = city.CITY_LAT === null ? await repository.unplaced(now().toISOString()) : 0;
  if (unplaced > 0) throw new Refusal("conflict", moveNeedsPosition(unplaced));
  const moving = await repository.list();
  if (moving.length === 0) return [];
  const moved = moving.map(({ id, next, ...place }) => ({
    id,
    positions: movedArea(place, next, city, now().getTime()),
  }));
  const lost = moved.flatMap(({ id, positions }) => (positions === null ? [id] : []));
  const needs = lost.length === 0 ? [] : await sunSchedules(db, org_id, now().toISOString(), lost);
  if (needs.length > 0) throw new Refusal("conflict", "A position that the import takes away is needed by now");
  return [repository.save(moved)];
}

/**
 * What an import may not take the sun from: how many schedules need the position of their area, by the area's id, and how
 * many each light has that go by the sun, by the light's. None where the city has a position.
 */
export async function sunNeeds({ db, org_id, now }: Scope): Promise<Pick<Here, "positions_needed" | "sun_schedules">> {
  const { CITY_LAT } = await settings(db, org_id).city();
  if (CITY_LAT !== null) return { positions_needed: new Map(), sun_schedules: new Map() };
  const needs = await sunSchedules(db, org_id, now().toISOString(), await areas(db, org_id).placed());
  return {
    positions_needed: new Map(needs.map(({ area_id, schedules }) => [area_id, schedules])),
    sun_schedules: await lightsBySun(db, org_id, now().toISOString()),
  };
}

function isSamePlace(one: Area["location"], other: Area["location"]): boolean {
  return one?.lat === other?.lat && one?.lon === other?.lon;
}
