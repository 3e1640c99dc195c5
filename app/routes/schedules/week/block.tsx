import { stretch } from "#app/components/night/place";
import { useCan } from "#app/components/capability";
import type { Piece } from "#app/week/rows";
import type { Week } from "#app/week/week";
import type { WeekNight } from "#app/week/week-frame";
import { pieceSentence } from "#app/week/week-words";
import { formatHours } from "#domain/time/display";
import { BlockWords } from "./block-words";
import { vars } from "./css-vars";
import { keyOf } from "./piece-key";
import { mayDrag, type Drag } from "./use-drag";

type BlockProps = {
  piece: Piece;
  night: WeekNight;
  week: Week;
  isOpen: boolean;
  isGone: boolean;
  isTall: boolean;
  onOpen: (piece: Piece, opener: HTMLElement) => void;
};

/** A window in a night, as a button that opens what is known of it. */
export function Block({ piece, night, week, isOpen, isGone, isTall, onOpen }: BlockProps) {
  const { window, schedule, from, to, lane } = piece;
  const maySave = useCan("schedule.save");
  const grips = maySave ? mayDrag(piece, week.now) : NO_GRIPS;
  return (
    <button
      type="button"
      tabIndex={-1}
      data-cell
      data-block={keyOf(piece)}
      data-why={schedule.start_sun || schedule.end_sun ? "sun" : "booked"}
      data-skipped={window.skipped ? "" : undefined}
      data-past={window.end <= week.now ? "" : undefined}
      data-gone={isGone ? "" : undefined}
      data-move={grips.move ? "" : undefined}
      data-now={window.start <= week.now && week.now < window.end ? "" : undefined}
      aria-label={pieceSentence(piece, week.zone)}
      aria-expanded={isOpen}
      style={vars({ ...stretch(piece, night), "--lane": lane })}
      onClick={(event) => onOpen(piece, event.currentTarget)}
      className="week-block"
    >
      {window.dark.map((dark) => (
        <i key={dark.from} aria-hidden style={stretch(dark, { from, to })} />
      ))}
      <BlockWords piece={piece} night={night} zone={week.zone} isTall={isTall} />
      {grips.start && window.start === from && <u data-grip="start" />}
      {grips.end && window.end === to && <u data-grip="end" />}
    </button>
  );
}

const NO_GRIPS = { move: false, start: false, end: false };

/** Where a block would be, or a new one, with its hours. */
export function Ghost({ drag, night, zone }: { drag: Drag; night: WeekNight; zone: string }) {
  const { start, end, piece } = drag;
  const shown = { from: Math.max(start, night.from), to: Math.min(end, night.to) };
  return (
    <span
      aria-hidden
      data-why="booked"
      data-ghost=""
      style={vars({ ...stretch(shown, night), "--lane": piece?.lane ?? 0 })}
      className="week-block"
    >
      <span className="week-text">
        <b>{formatHours(start, end, zone)}</b>
      </span>
    </span>
  );
}
