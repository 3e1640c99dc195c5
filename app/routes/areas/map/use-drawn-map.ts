import { useEffect, useRef, useState } from "react";
import type { Bounds, PlacedArea } from "./city-map";
import type { MapHandle } from "./draw-map.client";

/** Why there is no map: the browser cannot draw one, or its code did not arrive. */
export type Failure = "cannot draw" | "not loaded";

type Wanted = { areas: PlacedArea[]; tiles: string | null; onPress: (id: string | null) => void };

/**
 * A map in the element of `frame`, drawn once the page is there and kept while its areas change. `bounds` are what is in
 * view, null before that and without a map.
 */
export function useDrawnMap({ areas, tiles, onPress }: Wanted) {
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef({ areas, onPress });
  latest.current = { areas, onPress };
  const [map, setMap] = useState<MapHandle | null>(null);
  const [bounds, setBounds] = useState<Bounds | null>(null);
  const [isDrawn, setDrawn] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [lostTiles, setLostTiles] = useState(false);

  useEffect(() => {
    let drawn: MapHandle | null = null;
    let isOver = false;
    async function draw() {
      const code = await import("./draw-map.client");
      if (tiles !== null) await code.readTiles();
      if (isOver || !frame.current) return;
      const heard = {
        pressed: (id: string | null) => latest.current.onPress(id),
        moved: setBounds,
        drawn: () => setDrawn(true),
        tilesFailed: () => setLostTiles(true),
      };
      try {
        drawn = code.drawMap(frame.current, latest.current.areas, tiles, heard);
        setMap(drawn);
      } catch (caught) {
        console.info("The map cannot be drawn", caught);
        setFailure("cannot draw");
      }
    }
    draw().catch(() => setFailure("not loaded"));
    return () => {
      isOver = true;
      drawn?.remove();
    };
  }, [tiles]);

  useEffect(() => map?.setAreas(areas), [map, areas]);
  const ground = lostTiles ? ("failed" as const) : ("shown" as const);
  return { frame, map, bounds, isDrawn, failure, tiles: tiles === null ? ("none" as const) : ground };
}
