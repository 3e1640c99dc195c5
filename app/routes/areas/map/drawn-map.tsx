import { useEffect } from "react";
import { Maximize, Minus, Plus } from "#app/ui/icons";
import { Button } from "#app/ui/button";
import { LoadingBlock } from "#app/ui/spinner";
import { Legend } from "./mark";
import type { useDrawnMap } from "./use-drawn-map";

type Props = { drawn: ReturnType<typeof useDrawnMap>; chosen: string | null };

/** The map with its buttons. Arrow keys move it, plus and minus zoom. */
export function DrawnMap({ drawn: { frame, map, isDrawn, tiles }, chosen }: Props) {
  useEffect(() => map?.choose(chosen), [map, chosen]);
  return (
    <>
      <div ref={frame} className="map-canvas" data-drawn={isDrawn || undefined} />
      {!isDrawn && <LoadingBlock label="Loading map..." />}
      {isDrawn && (
        <>
          <div role="group" aria-label="Zoom" className="map-zoom">
            <Button size="icon" aria-label="Zoom in" icon={<Plus />} onClick={() => map?.zoom(1)} />
            <Button size="icon" aria-label="Zoom out" icon={<Minus />} onClick={() => map?.zoom(-1)} />
            <Button size="icon" aria-label="Show all areas" icon={<Maximize />} onClick={() => map?.fit()} />
          </div>
          <Legend />
          {tiles === "shown" && (
            <p className="map-credit">
              <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">
                © OpenStreetMap
              </a>
            </p>
          )}
          {tiles === "failed" && <p className="map-credit">The map's tiles could not be loaded</p>}
        </>
      )}
    </>
  );
}
