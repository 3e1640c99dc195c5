import { addProtocol, GeoJSONSource, Map as MapLibre, ScaleControl, setWorkerUrl } from "maplibre-gl";
import "maplibre-gl/dist/maplibre-gl.css";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import { boundsOf, type Bounds, type PlacedArea } from "./city-map";
import { features, grid } from "./features";
import { drawnMark } from "./drawn-mark";
import { PRESSABLE } from "./area-layers";
import { CLUSTERS_UNTIL, mapStyle } from "./map-style";
import { colorsOf, onTheme } from "./theme";

// From our own assets: a strict policy lets no worker be made of a blob.
setWorkerUrl(workerUrl);

const NEAR_ZOOM = CLUSTERS_UNTIL + 1;
/** Room for the labels of what is at the edge. */
const PADDING = { top: 40, bottom: 88, left: 86, right: 86 };
/** A finger is not as fine as a mark is small. */
const REACH = 10;
/** The card's size, and the width of the map below which it lies at its foot (app/styles/tailwind.css). */
const CARD = { wide: 272, high: 232 };
const NARROW = 560;
const NOWHERE: Bounds = [-180, -60, 180, 75];

type Heard = {
  /** A mark was pressed; null: the ground. */
  pressed: (id: string | null) => void;
  /** What is in view now. */
  moved: (bounds: Bounds) => void;
  drawn: () => void;
  tilesFailed: () => void;
};

export type MapHandle = ReturnType<typeof drawMap>;

/** Draws the areas in `frame`. Throws where the browser cannot draw (no WebGL). */
export function drawMap(frame: HTMLElement, first: PlacedArea[], tiles: string | null, heard: Heard) {
  let areas = first;
  let colors = colorsOf(frame);
  let chosen: string | null = null;
  const bounds = boundsOf(first) ?? NOWHERE;
  const style = () => mapStyle(colors, { tiles, areas: features(areas), grid: grid(map ? viewOf(map) : bounds) });
  let map: MapLibre | null = null;

  const drawn = new MapLibre({
    container: frame,
    style: style(),
    bounds,
    fitBoundsOptions: { padding: PADDING, maxZoom: NEAR_ZOOM },
    attributionControl: false,
    dragRotate: false,
    touchPitch: false,
    pitchWithRotate: false,
    maxPitch: 0,
    locale: { "Map.Title": "Map of the areas" },
  });
  map = drawn;
  drawn.touchZoomRotate.disableRotation();
  drawn.keyboard.disableRotation();
  drawn.addControl(new ScaleControl({ unit: "imperial" }), "bottom-right");
  drawn.setMissingStyleImageResolver(async (name) => {
    const image = drawnMark(name, colors);
    if (image) drawn.addImage(name, image, { pixelRatio: image.width / image.size });
  });

  const redraw = () => {
    const view = viewOf(drawn);
    const lines = drawn.getSource("grid");
    if (lines instanceof GeoJSONSource) void lines.setData(grid(view));
    heard.moved(view);
  };
  drawn.on("moveend", redraw);
  drawn.on("resize", redraw);
  drawn.on("load", () => {
    redraw();
    heard.drawn();
  });
  drawn.on("error", (event) => {
    // Said in a sentence: the areas are drawn without tiles, too.
    if ("sourceId" in event && event.sourceId === "tiles") heard.tilesFailed();
    else console.error(event.error);
  });
  drawn.on("mousemove", ({ point }) => {
    drawn.getCanvas().style.cursor = hit(point) ? "pointer" : "";
  });
  drawn.on("click", ({ point }) => {
    const found = hit(point);
    const { id, cluster_id } = found?.properties ?? {};
    if (found?.geometry.type === "Point" && typeof cluster_id === "number") {
      void open(cluster_id, found.geometry.coordinates);
      return;
    }
    const area = areas.find((known) => known.id === id);
    if (area && isNarrow()) moveTo(area, drawn.getZoom());
    heard.pressed(area?.id ?? null);
  });
  const unwatch = onTheme(() => {
    colors = colorsOf(frame);
    for (const name of drawn.listImages()) {
      const image = drawnMark(name, colors);
      if (image) drawn.updateImage(name, image);
    }
    drawn.setStyle(style());
    mark();
  });

  function hit({ x, y }: { x: number; y: number }) {
    const near = drawn.queryRenderedFeatures(
      [
        [x - REACH, y - REACH],
        [x + REACH, y + REACH],
      ],
      { layers: PRESSABLE },
    );
    return near.toSorted((a, b) => PRESSABLE.indexOf(a.layer.id) - PRESSABLE.indexOf(b.layer.id))[0];
  }

  async function open(cluster_id: number, [lon = 0, lat = 0]: number[]): Promise<void> {
    const source = drawn.getSource("areas");
    if (!(source instanceof GeoJSONSource)) return;
    drawn.easeTo({ center: [lon, lat], zoom: await source.getClusterExpansionZoom(cluster_id) });
  }

  function isMarked(id: string): boolean {
    return drawn.querySourceFeatures("areas", { filter: ["==", ["get", "id"], id] }).length > 0;
  }

  /** Beside the card, which lies over the map: on a narrow screen at its foot, else on its left. */
  function moveTo({ lat, lon }: PlacedArea, zoom: number): void {
    drawn.easeTo({
      center: [lon, lat],
      zoom,
      offset: isNarrow() ? [0, -CARD.high / 2] : [CARD.wide / 2, 0],
      duration: 500,
    });
  }
  const isNarrow = () => frame.clientWidth < NARROW;

  function mark(): void {
    if (drawn.getLayer("chosen")) drawn.setFilter("chosen", ["==", ["get", "id"], chosen ?? ""]);
  }

  return {
    /** Shows other counts, or other areas, without moving. */
    setAreas: (next: PlacedArea[]) => {
      areas = next;
      const source = drawn.getSource("areas");
      if (source instanceof GeoJSONSource) void source.setData(features(next));
    },
    choose: (id: string | null) => {
      chosen = id;
      mark();
    },
    /** Moves to the area, and nearer if it has no mark of its own from here; its neighbors stay in view if they can. */
    show: (area: PlacedArea) => {
      const zoom = drawn.getZoom();
      moveTo(area, isMarked(area.id) ? zoom : Math.max(zoom, NEAR_ZOOM));
    },
    fit: () => drawn.fitBounds(boundsOf(areas) ?? NOWHERE, { padding: PADDING, maxZoom: NEAR_ZOOM }),
    zoom: (by: 1 | -1) => void (by > 0 ? drawn.zoomIn() : drawn.zoomOut()),
    focus: () => drawn.getCanvas().focus(),
    remove: () => {
      unwatch();
      drawn.remove();
    },
  };
}

function viewOf(map: MapLibre): Bounds {
  const view = map.getBounds();
  return [view.getWest(), view.getSouth(), view.getEast(), view.getNorth()];
}

/** Lets `pmtiles://` addresses be read. Loaded only where there are tiles. */
export async function readTiles(): Promise<void> {
  const { Protocol } = await import("pmtiles");
  const protocol = new Protocol();
  addProtocol("pmtiles", async (asked, controller) => {
    const { data } = await protocol.tilev4(asked, controller);
    return { data: typeof data === "object" && data !== null ? data : new ArrayBuffer(0) };
  });
}
