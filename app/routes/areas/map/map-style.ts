import type {
  ExpressionSpecification,
  GeoJSONSourceSpecification,
  LayerSpecification,
  StyleSpecification,
} from "maplibre-gl";
import { baseLayers } from "./base-layers";
import type { Colors } from "./marks";

/** The layers that a press on the map is for, in the order of what it is meant for. */
export const PRESSABLE = ["marks", "clusters", "labels"];
/** From this zoom on each area has a mark of its own. */
export const CLUSTERS_UNTIL = 13;

/** Text is drawn from the device's own fonts: a style without glyphs fetches none. */
const FONT = ["system-ui", "sans-serif"];
/** Its weight is read from the first name, which no device has. */
const BOLD = ["Label SemiBold", ...FONT];

const has = (count: string): ExpressionSpecification => [">", ["get", count], 0];
/** As `stateOf`, for the sums of a cluster as well. */
const STATE: ExpressionSpecification = [
  "case",
  has("problems"),
  "wrong",
  has("on"),
  "lit",
  ["==", ["get", "lights"], 0],
  "empty",
  ["==", ["get", "unknown"], ["get", "lights"]],
  "unknown",
  "dark",
];
const IS_CLUSTER: ExpressionSpecification = ["has", "point_count"];
const IS_AREA: ExpressionSpecification = ["!", IS_CLUSTER];

const sum = (count: string): ExpressionSpecification => ["+", ["get", count]];

export function areaSource(data: GeoJSONSourceSpecification["data"]): GeoJSONSourceSpecification {
  return {
    type: "geojson",
    data,
    cluster: true,
    clusterRadius: 36,
    clusterMinPoints: 3,
    clusterMaxZoom: CLUSTERS_UNTIL,
    clusterProperties: { on: sum("on"), unknown: sum("unknown"), problems: sum("problems"), lights: sum("lights") },
  };
}

type Data = GeoJSONSourceSpecification["data"];

/** The style in the tokens' colors: tiles if there are any, else a grid, and the areas over them. */
export function mapStyle(
  colors: Colors,
  { tiles, areas, grid }: { tiles: string | null; areas: Data; grid: Data },
): StyleSpecification {
  const ground = colors[tiles === null ? "canvas" : "map-land"];
  return {
    version: 8,
    sources: {
      areas: areaSource(areas),
      ...(tiles === null
        ? { grid: { type: "geojson", data: grid } }
        : { tiles: { type: "vector", url: `pmtiles://${tiles}` } }),
    },
    layers: [
      { id: "ground", type: "background", paint: { "background-color": ground } },
      ...(tiles === null ? [gridLayer(colors)] : baseLayers(colors, FONT)),
      ...areaLayers(colors),
    ],
  };
}

function gridLayer(colors: Colors): LayerSpecification {
  return {
    id: "grid",
    type: "line",
    source: "grid",
    paint: { "line-color": colors.line, "line-width": 1, "line-opacity": 0.7 },
  };
}

function areaLayers(colors: Colors): LayerSpecification[] {
  const halo = { "text-halo-color": colors.canvas, "text-halo-width": 1.5 };
  const worstFirst: ExpressionSpecification = ["-", 0, ["get", "problems"]];
  return [
    {
      id: "chosen",
      type: "circle",
      source: "areas",
      filter: ["==", ["get", "id"], ""],
      paint: {
        "circle-radius": 18,
        "circle-opacity": 0,
        "circle-stroke-width": 3,
        "circle-stroke-color": colors.focus,
      },
    },
    {
      id: "labels",
      type: "symbol",
      source: "areas",
      filter: IS_AREA,
      layout: {
        "text-field": [
          "format",
          ["get", "name"],
          { "text-font": ["literal", BOLD] },
          "\n",
          {},
          ["get", "lit"],
          { "font-scale": 0.92, "text-color": colors["ink-soft"] },
          ["case", has("problems"), "\n", ""],
          {},
          ["get", "wrong"],
          { "font-scale": 0.92, "text-color": colors["bad-text"], "text-font": ["literal", BOLD] },
        ],
        "text-font": FONT,
        "text-size": 13,
        "text-max-width": 12,
        "text-variable-anchor": ["top", "left", "right", "bottom"],
        "text-radial-offset": 1.5,
        "text-justify": "auto",
        "symbol-sort-key": worstFirst,
      },
      paint: { "text-color": colors.ink, ...halo },
    },
    {
      id: "marks",
      type: "symbol",
      source: "areas",
      filter: IS_AREA,
      layout: {
        "icon-image": ["concat", "mark-", STATE],
        "icon-allow-overlap": true,
        "icon-padding": 0,
        "symbol-sort-key": worstFirst,
      },
    },
    {
      id: "clusters",
      type: "symbol",
      source: "areas",
      filter: IS_CLUSTER,
      layout: {
        "icon-image": ["concat", "cluster-", STATE],
        "icon-allow-overlap": true,
        "text-field": ["get", "point_count_abbreviated"],
        "text-font": BOLD,
        "text-size": 13,
        "text-allow-overlap": true,
      },
      // Amber keeps its dark text in both schemes.
      paint: { "text-color": ["match", STATE, "lit", colors["lit-ink"], colors.ink] },
    },
    {
      id: "cluster-labels",
      type: "symbol",
      source: "areas",
      filter: IS_CLUSTER,
      layout: {
        "text-field": [
          "format",
          ["concat", ["get", "on"], " of ", ["get", "lights"], " on"],
          { "text-color": colors["ink-soft"] },
          ["case", has("problems"), "\n", ""],
          {},
          [
            "case",
            has("problems"),
            ["concat", ["get", "problems"], ["case", ["==", ["get", "problems"], 1], " problem", " problems"]],
            "",
          ],
          { "text-color": colors["bad-text"], "text-font": ["literal", BOLD] },
        ],
        "text-font": FONT,
        "text-size": 12,
        "text-anchor": "top",
        "text-offset": [0, 1.7],
        "symbol-sort-key": worstFirst,
      },
      paint: { "text-color": colors["ink-soft"], ...halo },
    },
  ];
}
