import { Link } from "@remix-run/react";
import { ChevronRight, Plus } from "#app/ui/icons";
import { useCan } from "#app/components/capability";
import { useNoScript } from "#app/ui/no-script";
import { counted } from "#domain/counted";
import { formatDate, formatDay, fromLocalInput } from "#domain/time/display";
import { isToldIn, type Piece, type WeekRow } from "#app/week/rows";
import type { Week } from "#app/week/week";
import { clockChange } from "#app/week/week-frame";
import { hoursWords } from "#app/week/week-words";
import { newHref, placeIn } from "./week-links";
import { PieceActions, PieceWords } from "./piece-panel";

type Props = { week: Week; rows: WeekRow[]; onOpen: (piece: Piece, opener: HTMLElement) => void };

/** The week night by night, for a phone and for pages without script: each window once, in the night in which it begins. */
export function WeekAgenda({ week, rows, onOpen }: Props) {
  const over = rows.filter(({ night }) => night.to <= week.now);
  const isMixed = over.length > 0 && over.length < rows.length;
  const list = (some: WeekRow[]) => (
    <ol className="divide-line divide-y">
      {some.map((row) => (
        <Night key={row.night.date} row={row} week={week} onOpen={onOpen} />
      ))}
    </ol>
  );
  if (!isMixed) return <div className="card overflow-hidden">{list(rows)}</div>;
  return (
    <div className="card overflow-hidden">
      <details className="group border-line border-b">
        <summary className="text-ink-soft flex min-h-11 cursor-pointer list-none items-center gap-2 px-3 [&::-webkit-details-marker]:hidden">
          <ChevronRight className="size-4 shrink-0 group-open:rotate-90" />
          Earlier this week: {counted(over.length, "night")}
        </summary>
        {list(over)}
      </details>
      {list(rows.slice(over.length))}
    </div>
  );
}

function Night({ row: { night, pieces }, week, onOpen }: Omit<Props, "rows"> & { row: WeekRow }) {
  const told = pieces.filter((piece) => isToldIn(piece, night, week.frame));
  const change = clockChange(night);
  return (
    <li>
      <div className="bg-sunken flex min-h-11 items-center justify-between gap-2 pl-3">
        <h3 className="text-ink-soft text-sm font-semibold">
          {formatDate(night.date)}
          {night.from <= week.now && week.now < night.to && ", tonight"}
          {change !== 0 && <span className="font-normal">, {24 + change} hours: clocks change</span>}
        </h3>
        <Add week={week} date={night.date} isOver={night.to <= week.now} />
      </div>
      {told.length === 0 ? (
        <p className="text-ink-faint px-3 py-2">Nothing</p>
      ) : (
        <ul aria-label={formatDate(night.date)} className="divide-line divide-y">
          {told.map((piece) => (
            <Entry key={piece.schedule.id + piece.from} piece={piece} week={week} onOpen={onOpen} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Add({ week, date, isOver }: { week: Week; date: string; isOver: boolean }) {
  const maySave = useCan("schedule.save");
  if (!maySave || isOver) return null;
  const at = (time: string) => fromLocalInput({ date, time }, week.zone) ?? 0;
  return (
    <Link
      to={newHref(placeIn(week), { start: at("18:00"), end: at("22:00"), zone: week.zone })}
      preventScrollReset
      aria-label={`Add a schedule on ${formatDate(date)}`}
      className="text-brand-text flex min-h-11 items-center gap-1 px-3 font-medium"
    >
      <Plus className="size-4" />
      Add
    </Link>
  );
}

type EntryProps = Omit<Props, "rows"> & { piece: Piece };

/** A button for the panel; without script the panel's words and actions stand here. */
function Entry({ piece, week, onOpen }: EntryProps) {
  const noScript = useNoScript();
  if (noScript) {
    return (
      <li className="flex flex-col gap-2 px-3 py-2">
        <Words piece={piece} week={week} />
        <PieceActions piece={piece} week={week} />
      </li>
    );
  }
  return (
    <li>
      <button
        type="button"
        onClick={(event) => onOpen(piece, event.currentTarget)}
        className="hover:bg-sunken w-full px-3 py-2 text-left"
      >
        <Words piece={piece} week={week} />
      </button>
    </li>
  );
}

function Words({ piece, week }: { piece: Piece; week: Week }) {
  const { window, schedule } = piece;
  const { zone } = week;
  const isStruck = window.skipped !== null;
  return (
    <div className={window.end <= week.now ? "text-ink-soft" : ""}>
      <p className="flex items-start gap-2">
        <span
          aria-hidden
          className="week-block static! mt-1 h-3.5! w-2 shrink-0"
          data-why={schedule.start_sun || schedule.end_sun ? "sun" : "booked"}
          data-skipped={isStruck ? "" : undefined}
        />
        <span className="min-w-0 flex-1">
          <span className={`block font-semibold ${isStruck ? "line-through" : ""}`}>{schedule.title}</span>
          <span className="block">
            {window.start < week.frame.from && `Since ${formatDay(window.start, zone)}, `}
            {hoursWords(window, schedule, zone)}
          </span>
          <span className="text-ink-soft block">
            {schedule.target.type === "area" ? "All lights" : schedule.target.name}
            {schedule.lights > 1 && `, ${counted(schedule.lights, "light")}`}
          </span>
        </span>
      </p>
      <div className="pl-4 text-sm">
        <PieceWords piece={piece} zone={zone} />
      </div>
    </div>
  );
}
