import { counted, grouped } from "#domain/counted";
import { useSearchParams } from "@remix-run/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { MapPin } from "#app/ui/icons";
import { EmptyState } from "#app/components/empty-state";
import { Note } from "#app/components/note";
import { useOrganization } from "#app/components/organization";
import { NothingFound } from "#app/lists/nothing-found";
import { AreaRows } from "./area-rows";
import { inView, isPlaced, type CityMap, type PlacedArea } from "./city-map";
import type { MapHandle } from "./draw-map.client";
import { MapCard } from "./map-card";
import { DrawnMap } from "./drawn-map";
import { MapSwitch } from "./map-switch";
import { Unplaced } from "./unplaced";
import { useDrawnMap, type Failure } from "./use-drawn-map";

export type Tiles = { url: string | null; problem: string | null };

/** The areas where they are, and beside them those in view as a list, which a keyboard has. The default export is for onDemand(). */
export default function AreaMap({ city, tiles }: { city: CityMap; tiles: Tiles }) {
  const { user } = useOrganization();
  const placed = useMemo(() => city.areas.filter(isPlaced), [city]);
  const unplaced = useMemo(() => city.areas.filter((area) => !isPlaced(area)), [city]);
  if (city.total === 0) return <NothingFound />;
  return (
    <>
      {user.role === "admin" && tiles.problem !== null && (
        <div className="mb-3">
          <Note>{`${tiles.problem}. Until then the map has a blank ground.`}</Note>
        </div>
      )}
      {city.areas.length < city.total && (
        <p className="text-ink-soft mb-3">{`${grouped(city.areas.length)} of ${counted(city.total, "area")} are shown. Search to see others.`}</p>
      )}
      {placed.length === 0 ? (
        <EmptyState
          icon={MapPin}
          title="No area has a position yet"
          text="An area with a latitude and a longitude is shown on the map, and its lights can follow the sun."
        />
      ) : (
        <Drawn areas={placed} tiles={tiles.url} />
      )}
      <Unplaced areas={unplaced} />
      <MapSwitch areas={city.areas} />
    </>
  );
}

const FAILED: Record<Failure, string> = {
  "cannot draw": "This browser cannot draw the map. Here are its areas as a list.",
  "not loaded": "The map could not be loaded. Here are its areas as a list; load the page again for the map.",
};

function Drawn({ areas, tiles }: { areas: PlacedArea[]; tiles: string | null }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const top = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLElement | null>(null);
  const area = areas.find(({ id }) => id === chosen);

  const onPress = useCallback((id: string | null) => {
    opener.current = null;
    setChosen(id);
  }, []);
  const drawn = useDrawnMap({ areas, tiles, onPress });
  const { map, failure } = drawn;
  useFitToSearch(map);

  function choose(next: PlacedArea, from: HTMLElement) {
    opener.current = from;
    setChosen(next.id);
    map?.show(next);
    top.current?.scrollIntoView({ block: "nearest" });
  }
  function close() {
    setChosen(null);
    if (opener.current?.isConnected) opener.current.focus();
    else map?.focus();
  }

  const card = area && <MapCard key={area.id} area={area} onClose={close} />;
  return (
    <>
      {failure !== null && (
        <div className="mb-3">
          <Note>{FAILED[failure]}</Note>
        </div>
      )}
      <div className={failure === null ? "map-columns" : undefined}>
        <div ref={top} className={failure === null ? "map-frame" : "mb-3 empty:hidden"}>
          {failure === null && <DrawnMap drawn={drawn} chosen={chosen} />}
          {card}
        </div>
        <AreaRows
          areas={inView(areas, drawn.bounds)}
          of={areas.length}
          chosen={chosen}
          onChoose={choose}
          onAll={() => map?.fit()}
        />
      </div>
    </>
  );
}

/** Brings what another search has found into view. */
function useFitToSearch(map: MapHandle | null) {
  const [search] = useSearchParams();
  const asked = ["q", "type", "status"].map((name) => search.get(name) ?? "").join("&");
  const shown = useRef(asked);
  useEffect(() => {
    if (shown.current === asked) return;
    shown.current = asked;
    map?.fit();
  }, [map, asked]);
}
