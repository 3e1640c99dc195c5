import { useId, useState } from "react";
import { Button } from "#app/ui/button";
import { litWords, wrongWords, stateOf, unknownWords } from "./area-state";
import type { PlacedArea } from "./city-map";
import { Mark } from "./mark";

const FIRST = 100;

type Props = {
  areas: PlacedArea[];
  /** How many there are on the whole map. */
  of: number;
  chosen: string | null;
  onChoose: (area: PlacedArea, from: HTMLElement) => void;
  /** Brings all of them into view. */
  onAll: () => void;
};

/** The areas in view, by name. Enter on one moves the map to it and opens its card, as a press on its mark does. */
export function AreaRows({ areas, of, chosen, onChoose, onAll }: Props) {
  const heading = useId();
  const [most, setMost] = useState(FIRST);
  return (
    <section aria-labelledby={heading} className="map-rows panel">
      <header>
        <h2 id={heading}>{areas.length === of ? "All areas" : "In view"}</h2>
        <p>{areas.length === of ? of : `${areas.length} of ${of}`}</p>
        {areas.length < of && (
          <span>
            <button type="button" onClick={onAll}>
              Show all
            </button>
          </span>
        )}
      </header>
      {areas.length === 0 ? (
        <p className="text-ink-soft px-4 py-3">No area is in view.</p>
      ) : (
        <ul aria-labelledby={heading}>
          {areas.slice(0, most).map((area) => (
            <li key={area.id}>
              <button
                type="button"
                aria-current={area.id === chosen ? "true" : undefined}
                onClick={(event) => onChoose(area, event.currentTarget)}
              >
                <Mark state={stateOf(area)} />
                <b>{area.name}</b>
                <span>
                  {litWords(area)}
                  {area.problems > 0 && <em>{wrongWords(area)}</em>}
                  {area.unknown > 0 && <span>{unknownWords(area)}</span>}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {areas.length > most && (
        <p className="px-4 py-3">
          <Button onClick={() => setMost(most + FIRST)}>{`Show ${Math.min(FIRST, areas.length - most)} more`}</Button>
        </p>
      )}
    </section>
  );
}
