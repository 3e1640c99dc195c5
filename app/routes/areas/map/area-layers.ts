import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import { BOLD, FONT } from "./fonts";
import type { Colors } from "./marks";

/** The layers that a press on the map is for, in the order of what it is meant for. */
export const PRESSABLE = ["marks", "clusters", "labels"];
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

/** The areas over the ground: the chosen one's ring, then labels, then marks, which labels make room for. */
export function areaLayers(colors: Colors): LayerSpecification[] {
  const halo = { "text-halo-color": colors.canvas, "text-halo-width": 1.5 };
  // Labels are placed in their order, and what finds no room is left out; marks lie over each other in theirs.
  const worstFirst: ExpressionSpecification = ["-", 0, ["get", "problems"]];
  const worstOnTop: ExpressionSpecification = ["get", "problems"];
  return [
    {
      id: "chosen",
      type: "circle",
      source: "areas",
      filter: ["==", ["get", "id"], ""],
      paint: {
        "circle-radius": 16,
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
      id: "cluster-labels",
      type: "symbol",
      source: "areas",
      filter: IS_CLUSTER,
      layout: {
        "text-field": [
          "format",
          // The number in the mark alone could be taken for that of the wrong lights.
          ["concat", ["get", "point_count"], " areas\n", ["get", "on"], " of ", ["get", "lights"], " on"],
          { "text-color": colors["ink-soft"] },
          ["case", has("problems"), "\n", ""],
          {},
          ["case", has("problems"), ["concat", ["get", "problems"], " wrong"], ""],
          { "text-color": colors["bad-text"], "text-font": ["literal", BOLD] },
        ],
        "text-font": FONT,
        "text-size": 12,
        "text-anchor": "top",
        "text-offset": [0, 1.95],
        "symbol-sort-key": worstFirst,
      },
      paint: { "text-color": colors["ink-soft"], ...halo },
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
        "symbol-sort-key": worstOnTop,
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
        "icon-padding": 0,
        "text-field": ["get", "point_count_abbreviated"],
        "text-font": BOLD,
        "text-size": 13,
        "text-allow-overlap": true,
        "symbol-sort-key": worstOnTop,
      },
      // Amber keeps its dark text in both schemes.
      paint: { "text-color": ["match", STATE, "lit", colors["lit-ink"], colors.ink] },
    },
  ];
}
