import { litWords, wrongWords, unknownWords } from "./area-state";
import type { Bounds, PlacedArea } from "./city-map";

/** The areas as points of GeoJSON, with what their marks and labels say. */
export function features(areas: PlacedArea[]) {
  return {
    type: "FeatureCollection" as const,
    features: areas.map((area) => {
      const { id, name, lat, lon, on, unknown, problems, lights } = area;
      const lit = [litWords(area), unknownWords(area)].filter((words) => words !== null).join(", ");
      return {
        type: "Feature" as const,
        geometry: { type: "Point" as const, coordinates: [lon, lat] },
        properties: { id, name, on, unknown, problems, lights, lit, wrong: wrongWords(area) ?? "" },
      };
    }),
  };
}

/** The steps of the grid, in degrees; the finest is some hundred meters. */
const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];
const LINES = 8;

/** A grid of meridians and parallels about the view, and as far again on each side: without tiles it shows movement. */
export function grid([west, south, east, north]: Bounds) {
  const [wide, high] = [east - west, north - south];
  const step = STEPS.find((each) => Math.max(wide, high) / each <= LINES) ?? 30;
  const [left, right] = [west - wide, east + wide];
  const [bottom, top] = [Math.max(south - high, -85), Math.min(north + high, 85)];
  const lines = [
    ...multiples(step, left, right).map((lon) => [
      [lon, bottom],
      [lon, top],
    ]),
    ...multiples(step, bottom, top).map((lat) => [
      [left, lat],
      [right, lat],
    ]),
  ];
  return {
    type: "Feature" as const,
    properties: {},
    geometry: { type: "MultiLineString" as const, coordinates: lines },
  };
}

function multiples(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({ length: count }, (_, nth) => (first + nth) * step);
}
