import { setting, sql } from "#tests/support/light";
import type { Position } from "#tests/simulation/oracle/calendar";
import { withoutLight } from "./groups";
import { HOUR, SECOND, type Town } from "./town";

/** Where a city may be thought to be: at home, in the north, where some nights have no sun, and in the south. */
const PLACES = [
  { lat: 37.8, lon: -122.4 },
  { lat: 38.9, lon: -119.5 },
  { lat: 69.6, lon: -122 },
  { lat: -33.4, lon: -118 },
] as const;
/** What was replaced before that has no say any more, and is not stored. */
const KEPT = 72 * HOUR;

/** An area's lamps get another pause between two ONs, a lamp another pause to cool, and places and lights move. */
export async function newPlace(town: Town): Promise<void> {
  const what = town.chance.int(0, 9);
  if (what < 3) return newStagger(town);
  if (what < 5) return newRestrike(town);
  if (what < 7) return moveLight(town);
  return what < 9 ? movePlace(town) : moveCity(town);
}

async function newStagger(town: Town): Promise<void> {
  const id = town.anyArea();
  const area = town.city.areas.get(id);
  if (!area) return;
  const stagger_sec = town.chance.pick([0, 0, 3, 10]);
  const statement = sql("UPDATE areas SET stagger_sec = ?, updated_at = ? WHERE id = ?", stagger_sec, town.iso(), id);
  await town.change([statement], {
    areas: new Map(town.city.areas).set(id, { ...area, stagger_sec, written_at: town.world.now }),
  });
}

async function newRestrike(town: Town): Promise<void> {
  const id = town.anyDevice();
  const device = town.city.devices.get(id);
  if (!device) return;
  const restrike_min = town.chance.pick([0, 2, 15]);
  const statement = sql(
    "UPDATE devices SET restrike_min = ?, updated_at = ? WHERE id = ?",
    restrike_min,
    town.iso(),
    id,
  );
  await town.change([statement], { devices: new Map(town.city.devices).set(id, { ...device, restrike_min }) });
}

/** A light that moves to the other area leaves its groups. */
export async function moveLight(town: Town, id = town.anyDevice()): Promise<void> {
  const { city, world } = town;
  const device = city.devices.get(id);
  if (!device) return;
  const { now } = world;
  const area = town.areas().find((other) => other !== device.area) ?? device.area;
  const groups = withoutLight(city.groups, id);
  const devices = new Map(city.devices).set(id, { ...device, area, area_since: now, changed_at: now });
  await town.change(
    [
      sql("UPDATE devices SET area_id = ?, updated_at = ? WHERE id = ?", area, town.iso(), id),
      // Which the trigger said by the clock on the wall.
      sql("UPDATE devices SET area_since = ? WHERE id = ?", town.iso(), id),
    ],
    { devices, groups },
  );
}

/** The path along the river has a position of its own; the fields get one where somebody says so. */
export async function movePlace(town: Town, id = town.areas()[1]): Promise<void> {
  const area = town.city.areas.get(id);
  if (!area) return;
  const positions = moved(town, area.positions ?? town.city.positions);
  const { lat, lon } = positions.at(-1) ?? PLACES[0];
  const statement = sql(
    "UPDATE areas SET location = ?, positions = ?, updated_at = ? WHERE id = ?",
    JSON.stringify({ lat, lon }),
    storedAs(positions),
    town.iso(),
    id,
  );
  const written_at = town.world.now;
  const changed_at = positions === area.positions ? area.changed_at : written_at;
  await town.change([statement], {
    areas: new Map(town.city.areas).set(id, { ...area, positions, changed_at, written_at }),
  });
}

export async function moveCity(town: Town): Promise<void> {
  const positions = moved(town, town.city.positions);
  await town.change(cityAt(town, positions), { positions });
}

/** The settings that say where the city is. */
export function cityAt(town: Town, positions: readonly Position[]): D1PreparedStatement[] {
  const { lat, lon } = positions.at(-1) ?? PLACES[0];
  const org = town.world.org_id;
  return [
    setting(org, "CITY_LAT", lat, town.iso()),
    setting(org, "CITY_LON", lon, town.iso()),
    setting(org, "CITY_POSITIONS", JSON.parse(storedAs(positions)), town.iso()),
  ];
}

/** Where it is from now on, after where it has been of late. */
function moved({ chance, world }: Town, positions: readonly Position[]): readonly Position[] {
  const place = chance.pick([PLACES[0], PLACES[0], ...PLACES]);
  const last = positions.at(-1);
  if (last && last.lat === place.lat && last.lon === place.lon) return positions;
  const recent = positions.filter((_, n) => (positions[n + 1]?.since ?? Infinity) >= world.now - KEPT);
  return [...recent, { ...place, since: recent.length === 0 ? 0 : world.now }];
}

function storedAs(positions: readonly Position[]): string {
  return JSON.stringify(positions.map((one) => ({ ...one, since: new Date(one.since).toISOString() })));
}

/** Nothing is booked in an area that is switched off; some hours later it is on again. */
export async function closeArea(town: Town): Promise<void> {
  const id = town.anyArea();
  await openArea(town, id, !town.city.areas.get(id)?.isActive);
  town.world.outside(town.chance.int(1, 12) * HOUR + SECOND, () => {
    town.opensAgain = true;
  });
}

export async function openArea(town: Town, id: string, isActive: boolean): Promise<void> {
  const area = town.city.areas.get(id);
  if (!area || area.isActive === isActive) return;
  const statement = sql("UPDATE areas SET active = ?, updated_at = ? WHERE id = ?", isActive ? 1 : 0, town.iso(), id);
  const changed = { ...area, isActive, changed_at: town.world.now, written_at: town.world.now };
  await town.change([statement], { areas: new Map(town.city.areas).set(id, changed) });
}
