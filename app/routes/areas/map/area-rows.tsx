import { grouped } from "#domain/counted";
import { useId } from "react";
import { litWords, wrongWords, stateOf, unknownWords } from "./area-state";
import type { PlacedArea } from "./city-map";
import { Mark } from "./mark";
import { useFirst } from "./use-first";

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
  const { shown, more } = useFirst(areas);
  return (
    <section aria-labelledby={heading} className="map-rows panel">
      <header>
        <h2 id={heading}>{areas.length === of ? "All areas" : "In view"}</h2>
        <p>{areas.length === of ? grouped(of) : `${grouped(areas.length)} of ${grouped(of)}`}</p>
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
          {shown.map((area) => (
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
      {more}
    </section>
  );
}
