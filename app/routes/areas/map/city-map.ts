import type { SignedIn } from "#worker/context";

/** The areas that the map shows, as the server counts them. */
export type CityMap = Awaited<ReturnType<SignedIn["services"]["dashboard"]["places"]>>;
export type MapArea = CityMap["areas"][number];
export type PlacedArea = MapArea & { lat: number; lon: number };

/** West, south, east and north, in degrees. */
export type Bounds = [west: number, south: number, east: number, north: number];

export function isPlaced(area: MapArea): area is PlacedArea {
  return area.lat !== null && area.lon !== null;
}

/** The areas in the bounds; all of them while there are none. */
export function inView(areas: PlacedArea[], bounds: Bounds | null): PlacedArea[] {
  if (bounds === null) return areas;
  const [west, south, east, north] = bounds;
  return areas.filter(({ lat, lon }) => lat >= south && lat <= north && lon >= west && lon <= east);
}

/** The smallest bounds with all areas; null without any. */
export function boundsOf(areas: PlacedArea[]): Bounds | null {
  if (areas.length === 0) return null;
  const lons = areas.map(({ lon }) => lon);
  const lats = areas.map(({ lat }) => lat);
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
}
