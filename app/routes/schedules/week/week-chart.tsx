import { useRef } from "react";
import { hourMarks, placeOf } from "#domain/tonight/tonight-frame";
import { useRoving } from "#app/components/night/use-roving";
import { useCan } from "#app/components/capability";
import { clockChange } from "#app/week/week-frame";
import type { Piece, WeekRow } from "#app/week/rows";
import type { Week } from "#app/week/week";
import { NightRow } from "./night-row";
import { useDrag } from "./use-drag";

type Props = {
  week: Week;
  rows: WeekRow[];
  chosen: Piece | null;
  onOpen: (piece: Piece, opener: HTMLElement) => void;
};

/**
 * A row for each night from noon to noon, as in Tonight, so that what lasts past midnight is one block. What overlaps
 * stands in lanes. It is one tab stop; arrows lead to the nights and their blocks.
 */
export function WeekChart({ week, rows, chosen, onOpen }: Props) {
  const chart = useRef<HTMLDivElement>(null);
  const maySave = useCan("schedule.save");
  const keys = useRoving(chart);
  const { drag, handlers } = useDrag({ week, rows, isOn: maySave });
  const { zone } = week;
  // Clocks change in one night at most, and that has hours of its own.
  const usual = rows.find(({ night }) => clockChange(night) === 0)?.night;
  return (
    <div ref={chart} className="card night relative [--label:9rem]" data-dragging={drag?.grip} {...keys} {...handlers}>
      <div className="border-line grid grid-cols-[var(--label)_minmax(0,1fr)] border-b pr-3">
        <span className="text-ink-faint px-3 py-2 text-xs">Night from</span>
        <div aria-hidden className="relative h-8 text-xs whitespace-nowrap">
          {usual &&
            hourMarks(usual, zone).map(({ at, label }, n) => (
              <span
                key={at}
                style={{ left: `${placeOf(at, usual)}%` }}
                className={`text-ink-faint absolute bottom-1.5 -translate-x-1/2 ${n % 2 === 0 ? "" : "max-lg:hidden"}`}
              >
                {label}
              </span>
            ))}
        </div>
      </div>
      <ul aria-label="Nights of the week">
        {rows.map((row) => (
          <NightRow
            key={row.night.date}
            row={row}
            week={week}
            chosen={chosen}
            drag={drag?.night === row.night.date ? drag : null}
            onOpen={onOpen}
          />
        ))}
      </ul>
    </div>
  );
}
