import { Link } from "@remix-run/react";
import type { CSSProperties } from "react";
import { Plus } from "#app/ui/icons";
import { useCan } from "#app/components/capability";
import { HourLines } from "#app/components/night/axis";
import { NowLine } from "#app/components/night/now-line";
import { stretch } from "#app/components/night/place";
import { Shades } from "#app/components/night/shades";
import { NameLink } from "#app/components/page-links";
import { formatHours, fromLocalInput } from "#domain/display";
import { dateAfter, hourMarks, placeOf } from "#domain/tonight-frame";
import { isCut, titleLength, type Piece, type WeekRow } from "#app/week/rows";
import type { Week } from "#app/week/week";
import { clockChange, type WeekNight } from "#app/week/week-frame";
import { dateWords, pieceSentence } from "#app/week/week-words";
import { BlockWords } from "./block-words";
import { keyOf } from "./piece-key";
import { mayDrag, type Drag } from "./use-drag";
import { newHref, placeIn } from "./week-links";

type Props = {
  row: WeekRow;
  week: Week;
  chosen: Piece | null;
  /** What is being dragged in this night. */
  drag: Drag | null;
  onOpen: (piece: Piece, opener: HTMLElement) => void;
};

/** One night: its date, and its blocks on an axis of its own, since two nights a year have 23 or 25 hours. */
export function NightRow({ row, week, chosen, drag, onOpen }: Props) {
  const { night, pieces, lanes } = row;
  const { zone, now } = week;
  const change = clockChange(night);
  const isNow = night.from <= now && now < night.to;
  return (
    <li
      data-row
      className="border-line grid grid-cols-[var(--label)_minmax(0,1fr)] border-b pr-3 last:border-b-0 has-[[data-now-night]]:bg-brand-soft/30"
    >
      <div className="flex items-start justify-between gap-1 py-2 pr-2 pl-3" data-now-night={isNow ? "" : undefined}>
        <div className="min-w-0 leading-tight">
          <NightName night={night} week={week} isNow={isNow} />
          {change !== 0 && <p className="text-ink-soft text-xs">{24 + change} hours: clocks change</p>}
        </div>
        <AddLink night={night} week={week} />
      </div>
      <div className="relative" style={vars({ "--lanes": Math.max(1, lanes) })}>
        <div aria-hidden className="pointer-events-none absolute inset-0">
          <Shades shade={shadeIn(week, night)} frame={night} zone={zone} />
          <HourLines frame={night} zone={zone} />
          <Midnight night={night} zone={zone} />
          {change !== 0 && <OwnHours night={night} zone={zone} />}
        </div>
        <div
          className="week-track"
          data-slot={night.date}
          data-own={change === 0 ? undefined : ""}
          data-tall={pieces.some((piece) => isCut(piece, titleLength(piece))) ? "" : undefined}
        >
          {pieces.map((piece) => (
            <Block
              key={`${piece.schedule.id} ${piece.from}`}
              piece={piece}
              night={night}
              week={week}
              isOpen={chosen?.window === piece.window}
              isGone={drag?.piece?.window === piece.window}
              onOpen={onOpen}
            />
          ))}
          {drag && <Ghost drag={drag} night={night} zone={zone} />}
        </div>
        <div aria-hidden>
          <NowLine frame={night} now={now} zone={zone} />
        </div>
      </div>
    </li>
  );
}

/** How far ahead Tonight looks. */
const LINKED_MS = 31 * 86_400_000;

/** The date, which leads to that night in Tonight as far as one can look there. */
function NightName({ night, week, isNow }: { night: WeekNight; week: Week; isNow: boolean }) {
  const words = dateWords(night.date);
  const name = isNow ? "font-semibold" : "font-medium";
  if (night.from - week.now > LINKED_MS) return <p className={`${name} whitespace-nowrap`}>{words}</p>;
  const to = `/tonight?${new URLSearchParams({ date: night.date, ...(week.area && { open: week.area.id }) })}`;
  return (
    <NameLink
      to={to}
      tabIndex={-1}
      data-cell
      className={`${name} whitespace-nowrap`}
      title="Open this night in Tonight"
    >
      {words}
    </NameLink>
  );
}

/** The way to a new schedule on that night without a pointer. */
function AddLink({ night, week }: { night: WeekNight; week: Week }) {
  const maySave = useCan("schedule.save");
  const at = (time: string) => fromLocalInput({ date: night.date, time }, week.zone) ?? night.from;
  if (!maySave || night.to <= week.now) return null;
  return (
    <Link
      to={newHref(placeIn(week), { start: at("18:00"), end: at("22:00"), zone: week.zone })}
      preventScrollReset
      tabIndex={-1}
      data-cell
      aria-label={`Add a schedule on ${dateWords(night.date)}`}
      title="Add a schedule"
      className="text-ink-soft hover:bg-sunken hover:text-ink -my-1 -mr-1 flex size-7 shrink-0 items-center justify-center rounded-md"
    >
      <Plus className="size-4" />
    </Link>
  );
}

function shadeIn({ shade }: Week, { from, to }: WeekNight): Week["shade"] {
  return shade.filter((hours) => hours.from < to && hours.to > from);
}

function Midnight({ night, zone }: { night: WeekNight; zone: string }) {
  const at = fromLocalInput({ date: dateAfter(night.date, 1), time: "00:00" }, zone);
  if (at === null) return null;
  return <span style={{ left: `${placeOf(at, night)}%` }} className="bg-line-strong absolute inset-y-0 w-px" />;
}

/** The hours of a night on which the clocks change, where they are not those of the others. */
function OwnHours({ night, zone }: { night: WeekNight; zone: string }) {
  return hourMarks(night, zone)
    .slice(1)
    .map(({ at, label }) => (
      <span
        key={at}
        style={{ left: `${placeOf(at, night)}%` }}
        className="text-ink-faint absolute top-0.5 -translate-x-1/2 text-[0.6875rem] max-lg:hidden"
      >
        {label}
      </span>
    ));
}

type BlockProps = {
  piece: Piece;
  night: WeekNight;
  week: Week;
  isOpen: boolean;
  isGone: boolean;
  onOpen: Props["onOpen"];
};

function Block({ piece, night, week, isOpen, isGone, onOpen }: BlockProps) {
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
      <BlockWords piece={piece} zone={week.zone} />
      {grips.start && window.start === from && <u data-grip="start" />}
      {grips.end && window.end === to && <u data-grip="end" />}
    </button>
  );
}

const NO_GRIPS = { move: false, start: false, end: false };

/** Where a block would be, or a new one, with its hours. */
function Ghost({ drag, night, zone }: { drag: Drag; night: WeekNight; zone: string }) {
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

function vars(style: CSSProperties & Record<`--${string}`, number>): CSSProperties {
  return style;
}
