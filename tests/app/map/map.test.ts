import { expect, test } from "vitest";
import { countWords, stateOf } from "#app/routes/areas/map/area-state";
import { boundsOf, inView, isPlaced, type MapArea, type PlacedArea } from "#app/routes/areas/map/city-map";
import { features, grid } from "#app/routes/areas/map/features";

const counts = { on: 0, unknown: 0, problems: 0, lights: 8 };
const area = (id: string, lat: number, lon: number, more: Partial<MapArea> = {}): PlacedArea => ({
  id,
  name: id,
  type: "park",
  active: true,
  ...counts,
  ...more,
  lat,
  lon,
});

test.each([
  [{}, "dark", "0 of 8 on"],
  [{ on: 3 }, "lit", "3 of 8 on"],
  [{ on: 3, problems: 1 }, "wrong", "3 of 8 on, 1 wrong"],
  [{ problems: 2, unknown: 8 }, "wrong", "0 of 8 on, 2 wrong, 8 unknown"],
  [{ unknown: 8 }, "unknown", "0 of 8 on, 8 unknown"],
  [{ unknown: 7 }, "dark", "0 of 8 on, 7 unknown"],
  [{ lights: 0 }, "empty", "No lights"],
])("an area with %j is %s: '%s'", (more, state, words) => {
  expect([stateOf({ ...counts, ...more }), countWords({ ...counts, ...more })]).toEqual([state, words]);
});

test("an area is on the map if it has both degrees, also at zero", () => {
  const at = (lat: number | null, lon: number | null) => isPlaced({ ...area("a", 0, 0), lat, lon });
  expect([at(0, 0), at(44, null), at(null, -123), at(null, null)]).toEqual([true, false, false, false]);
});

test("in view are those within the bounds; all, before the map is drawn", () => {
  const areas = [area("in", 1, 1), area("north", 3, 1), area("east", 1, 3)];
  expect(inView(areas, [0, 0, 2, 2]).map(({ id }) => id)).toEqual(["in"]);
  expect(inView(areas, null)).toHaveLength(3);
  expect(boundsOf(areas)).toEqual([1, 1, 3, 3]);
  expect(boundsOf([])).toBeNull();
});

test("a mark carries what its label says", () => {
  const [first] = features([area("Elm Park", 44.5, -123, { on: 3, unknown: 2, problems: 1 })]).features;
  expect(first).toMatchObject({
    geometry: { coordinates: [-123, 44.5] },
    properties: { name: "Elm Park", lit: "3 of 8 on, 2 unknown", wrong: "1 wrong" },
  });
});

test.each([
  ["a park", [-123.01, 44.6, -123, 44.61]],
  ["a city", [-123.2, 44.5, -123, 44.7]],
  ["a country", [-124, 30, -70, 48]],
  ["the world", [-180, -85, 180, 85]],
] as const)("%s has a grid of a few lines, which reach beyond the view", (_, bounds) => {
  const [west, south, east, north] = bounds;
  const lines = grid([west, south, east, north]).geometry.coordinates;
  expect(lines.length).toBeGreaterThan(6);
  expect(lines.length).toBeLessThan(80);
  for (const [[lon = 0, lat = 0] = []] of lines) {
    expect(lon).toBeGreaterThanOrEqual(west - (east - west) - 1e-9);
    expect(lat).toBeGreaterThanOrEqual(Math.max(-85, south - (north - south)) - 1e-9);
  }
});
