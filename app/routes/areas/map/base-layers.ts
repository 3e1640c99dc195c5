import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import { FONT } from "./fonts";
import type { Colors } from "./marks";

/** Kinds of land, by the Protomaps basemap's schema, on which people walk on grass or under trees. */
const GREEN = [
  "park",
  "forest",
  "wood",
  "grass",
  "grassland",
  "meadow",
  "recreation_ground",
  "nature_reserve",
  "national_park",
  "protected_area",
  "playground",
  "pitch",
  "golf_course",
  "cemetery",
  "garden",
  "village_green",
  "zoo",
  "orchard",
  "scrub",
];

/** By zoom: thin from afar, as wide as the road from near. */
function width(far: number, near: number): ExpressionSpecification {
  return ["interpolate", ["exponential", 1.6], ["zoom"], 10, far, 18, near];
}

/** A quiet ground under the areas: land, parks, water, buildings, roads and their names. */
export function baseLayers(colors: Colors): LayerSpecification[] {
  const roads = { source: "tiles", "source-layer": "roads", type: "line" as const };
  const line = { "line-cap": "round", "line-join": "round" } as const;
  const text = { "text-color": colors["ink-faint"], "text-halo-color": colors["map-land"], "text-halo-width": 1.5 };
  const name: ExpressionSpecification = ["coalesce", ["get", "name"], ""];
  return [
    {
      id: "green",
      type: "fill",
      source: "tiles",
      "source-layer": "landuse",
      filter: ["in", ["get", "kind"], ["literal", GREEN]],
      paint: { "fill-color": colors["map-park"] },
    },
    {
      id: "water",
      type: "fill",
      source: "tiles",
      "source-layer": "water",
      filter: ["==", ["geometry-type"], "Polygon"],
      paint: { "fill-color": colors["map-water"] },
    },
    {
      id: "rivers",
      type: "line",
      source: "tiles",
      "source-layer": "water",
      filter: ["==", ["geometry-type"], "LineString"],
      paint: { "line-color": colors["map-water"], "line-width": width(0.75, 6) },
    },
    {
      id: "buildings",
      type: "fill",
      source: "tiles",
      "source-layer": "buildings",
      minzoom: 14,
      paint: { "fill-color": colors["map-building"] },
    },
    {
      ...roads,
      id: "paths",
      filter: ["in", ["get", "kind"], ["literal", ["path", "other"]]],
      minzoom: 13,
      layout: line,
      paint: { "line-color": colors["map-road"], "line-width": width(0.5, 3), "line-dasharray": [2, 2] },
    },
    {
      ...roads,
      id: "streets",
      filter: ["==", ["get", "kind"], "minor_road"],
      minzoom: 11,
      layout: line,
      paint: { "line-color": colors["map-road"], "line-width": width(0.5, 10) },
    },
    {
      ...roads,
      id: "main-roads",
      filter: ["in", ["get", "kind"], ["literal", ["major_road", "highway"]]],
      layout: line,
      paint: { "line-color": colors["map-road"], "line-width": width(1.5, 18) },
    },
    {
      ...roads,
      id: "rails",
      filter: ["==", ["get", "kind"], "rail"],
      minzoom: 12,
      paint: { "line-color": colors["line-strong"], "line-width": 1, "line-dasharray": [3, 2], "line-opacity": 0.6 },
    },
    {
      id: "road-names",
      type: "symbol",
      source: "tiles",
      "source-layer": "roads",
      minzoom: 14,
      layout: { "symbol-placement": "line", "text-field": name, "text-font": FONT, "text-size": 11 },
      paint: text,
    },
    {
      id: "place-names",
      type: "symbol",
      source: "tiles",
      "source-layer": "places",
      layout: { "text-field": name, "text-font": FONT, "text-size": 12 },
      paint: text,
    },
  ];
}
