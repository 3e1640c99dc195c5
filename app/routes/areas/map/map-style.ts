import type {
  ExpressionSpecification,
  GeoJSONSourceSpecification,
  LayerSpecification,
  StyleSpecification,
} from "maplibre-gl";
import { areaLayers } from "./area-layers";
import { baseLayers } from "./base-layers";
import type { Colors } from "./marks";

/** From this zoom on each area has a mark of its own. */
export const CLUSTERS_UNTIL = 13;

type Data = GeoJSONSourceSpecification["data"];

const sum = (count: string): ExpressionSpecification => ["+", ["get", count]];

function areaSource(data: Data): GeoJSONSourceSpecification {
  return {
    type: "geojson",
    data,
    cluster: true,
    clusterRadius: 46,
    clusterMinPoints: 3,
    clusterMaxZoom: CLUSTERS_UNTIL,
    clusterProperties: { on: sum("on"), unknown: sum("unknown"), problems: sum("problems"), lights: sum("lights") },
  };
}

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
      ...(tiles === null ? [gridLayer(colors)] : baseLayers(colors)),
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
