import { Link } from "@remix-run/react";
import { Plus } from "#app/ui/icons";
import { useCan } from "#app/components/capability";
import { HourLines } from "#app/components/night/axis";
import { NowLine } from "#app/components/night/now-line";
import { Shades } from "#app/components/night/shades";
import { NameLink } from "#app/components/page-links";
import { fromLocalInput } from "#domain/time/display";
import { dateAfter } from "#domain/time/date-after";
import { furthestDate, hourMarks, placeOf } from "#domain/tonight/tonight-frame";
import { isCut, titleLength, type Piece, type WeekRow } from "#app/week/rows";
import type { Week } from "#app/week/week";
import { clockChange, type WeekNight } from "#app/week/week-frame";
import { formatDate } from "#domain/time/display";
import { Block, Ghost } from "./block";
import { vars } from "./css-vars";
import { keyOf } from "./piece-key";
import type { Drag } from "./use-drag";
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
  const isTall = pieces.some((piece) => isCut(piece, titleLength(piece)));
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
          data-tall={isTall || undefined}
        >
          {pieces.map((piece) => (
            <Block
              key={`${piece.schedule.id} ${piece.from}`}
              piece={piece}
              night={night}
              week={week}
              isOpen={chosen?.window === piece.window}
              isGone={drag?.piece ? keyOf(drag.piece) === keyOf(piece) : false}
              isTall={isTall}
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

/** The date, which leads to that night in Tonight as far as one can look there. */
function NightName({ night, week, isNow }: { night: WeekNight; week: Week; isNow: boolean }) {
  const words = formatDate(night.date);
  const name = isNow ? "font-semibold" : "font-medium";
  if (night.date > furthestDate(week.zone, week.now)) return <p className={`${name} whitespace-nowrap`}>{words}</p>;
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
      aria-label={`Add a schedule on ${formatDate(night.date)}`}
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
  return (
    <span
      style={{ left: `${placeOf(at, night)}%` }}
      className="bg-line-strong absolute inset-y-0 w-px forced-color-adjust-none"
    />
  );
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
