import { expect, test } from "vitest";
import { movedArea, movedCity, positionsOf, type CityPlace } from "#domain/schedule/positions";

const NOW = Date.parse("2026-07-10T12:00:00.000Z");
const DAY = 86_400_000;
const EVER = "1970-01-01T00:00:00.000Z";
const show = (instant: number) => new Date(instant).toISOString();
const city = (lat: number | null = 34, over: Partial<CityPlace> = {}): CityPlace => ({
  CITY_LAT: lat,
  CITY_LON: lat === null ? null : -118,
  ...over,
});
const at = (lat: number, since = EVER) => ({ lat, lon: -118, since });
const area = (lat: number | null, positions: ReturnType<typeof at>[] | null = null) => ({
  location: lat === null ? { address: "1 Park Way" } : { lat, lon: -118 },
  positions,
});

test("the sun is seen from the area, else from the city, else from nowhere", () => {
  expect(positionsOf(area(35), city())).toEqual([at(35)]);
  expect(positionsOf(area(null), city())).toEqual([at(34)]);
  expect(positionsOf(null, city())).toEqual([at(34)]);
  expect(positionsOf(area(null), city(null))).toEqual([]);
  expect(positionsOf({ location: { lat: 0, lon: 0 }, positions: null }, city())).toEqual([
    { lat: 0, lon: 0, since: EVER },
  ]);
});

test("a new position stands after the one before it, from now on", () => {
  expect(movedArea(area(35), { lat: 36, lon: -118 }, city(), NOW)).toEqual([at(35), at(36, show(NOW))]);
  expect(movedArea(area(null), { lat: 36, lon: -118 }, city(), NOW)).toEqual([at(34), at(36, show(NOW))]);
  expect(movedCity(city(), { lat: 36, lon: -118 }, NOW)).toEqual([at(34), at(36, show(NOW))]);
  expect(movedCity(city(), null, NOW)).toEqual([]);
});

test("the first position has always been", () => {
  expect(movedArea(null, { lat: 36, lon: -118 }, city(), NOW)).toEqual([at(36)]);
  expect(movedArea(area(null), { lat: 36, lon: -118 }, city(null), NOW)).toEqual([at(36)]);
  expect(movedCity(city(null), { lat: 36, lon: -118 }, NOW)).toEqual([at(36)]);
  expect(movedArea(null, null, city(null), NOW)).toBeNull();
});

test("saving the same position again moves nothing", () => {
  const before = [at(35), at(36, show(NOW - DAY))];
  expect(movedArea(area(36, before), { lat: 36, lon: -118 }, city(), NOW)).toEqual(before);
  expect(movedCity(city(34, { CITY_POSITIONS: [at(34, EVER)] }), { lat: 34, lon: -118 }, NOW)).toEqual([at(34)]);
});

test("what was replaced more than three days ago is forgotten at the next move", () => {
  const before = [at(33), at(34, show(NOW - 4 * DAY)), at(35, show(NOW - 2 * DAY))];
  expect(movedArea(area(35, before), { lat: 36, lon: -118 }, city(), NOW)).toEqual([
    ...before.slice(1),
    at(36, show(NOW)),
  ]);
});

test("an area whose position is taken back follows the city from then on, and later moves of it", () => {
  const back = movedArea(area(35), null, city(), NOW);
  expect(back).toEqual([at(35), at(34, show(NOW))]);
  const later = city(37, { CITY_POSITIONS: [at(34), at(37, show(NOW + DAY))] });
  expect(positionsOf(area(null, back), later)).toEqual([at(35), at(34, show(NOW)), at(37, show(NOW + DAY))]);
});

test("a position that was written without its history has always been", () => {
  expect(positionsOf(area(36, [at(35)]), city())).toEqual([at(36)]);
});
