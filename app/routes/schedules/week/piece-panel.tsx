import { Ban, Clock, Copy, Pencil, SkipForward } from "#app/ui/icons";
import { ButtonLink } from "#app/components/button-link";
import { useCan } from "#app/components/capability";
import { areaHref, deviceHref, NameLink } from "#app/components/page-links";
import { SidePanel } from "#app/components/side-panel";
import { HiddenFields } from "#app/forms/hidden-fields";
import { useAnswer } from "#app/forms/use-answer";
import { Button } from "#app/ui/button";
import { counted } from "#domain/counted";
import { formatDay } from "#domain/time/display";
import type { Piece } from "#app/week/rows";
import type { Week } from "#app/week/week";
import { hoursWords, limitWords, skippedWords, targetWords, whoWords } from "#app/week/week-words";
import { dialogHref, momentsOf } from "./week-links";

type Props = { piece: Piece; week: Week };

/** What a block is for, who made it, what limits take from it, and what can be done. */
export function PiecePanel({ piece, week, onClose }: Props & { onClose: () => void }) {
  const { window, schedule } = piece;
  const { zone } = week;
  // What was pressed to skip a night is gone once it is skipped, so the panel takes the focus then.
  const of = `${window.schedule_id} ${window.date} ${window.skipped === null ? "" : "skipped"}`;
  return (
    <SidePanel
      id="piece-title"
      title={schedule.title}
      place={<TargetLink piece={piece} week={week} />}
      of={of}
      onClose={onClose}
    >
      <div>
        <p className="text-ink-soft">{formatDay(window.start, zone)}</p>
        <p className={`text-base font-semibold ${window.skipped ? "line-through" : ""}`}>
          {hoursWords(window, schedule, zone)}
        </p>
      </div>
      <PieceWords piece={piece} zone={zone} />
      <dl className="facts border-line border-y py-3 [&_dd]:whitespace-normal!">
        <div>
          <dt>Lights</dt>
          <dd>{counted(schedule.lights, "light")}</dd>
        </div>
        <div>
          <dt>Repeats</dt>
          <dd>{schedule.repeats ? schedule.words : "once"}</dd>
        </div>
        {schedule.who !== null && (
          <div>
            <dt>Booked by</dt>
            <dd>{whoWords(schedule)}</dd>
          </div>
        )}
      </dl>
      <PieceActions piece={piece} week={week} />
    </SidePanel>
  );
}

function TargetLink({ piece: { schedule }, week }: Props) {
  const { target } = schedule;
  const area = week.area?.name ?? "";
  const to = target.type === "device" ? deviceHref(target.id) : areaHref(week.area?.id ?? "");
  return (
    <>
      <NameLink to={to} className="text-brand-text font-medium">
        {targetWords(schedule, area)}
      </NameLink>
      {target.type !== "area" && `, ${area}`}
    </>
  );
}

/** More would push what can be done out of sight. */
const MOST_LIMITS = 3;

/** Why it does not happen, or not for all of its lights and hours. */
export function PieceWords({ piece: { window, schedule }, zone }: { piece: Piece; zone: string }) {
  return (
    <>
      {window.skipped && <p className="text-warn-text font-medium">{skippedWords(window)}</p>}
      {window.limits.slice(0, MOST_LIMITS).map((limit) => (
        <p key={`${limit.words} ${limit.from} ${limit.to}`} className="text-warn-text">
          {limitWords(limit, schedule.lights, zone)}
        </p>
      ))}
      {window.limits.length > MOST_LIMITS && (
        <p className="text-warn-text">and {window.limits.length - MOST_LIMITS} more stretches in the dark</p>
      )}
    </>
  );
}

/** What can be done with a block. Everything a pointer can drag has its form here. */
export function PieceActions({ piece: { window, schedule }, week }: Props) {
  const mayCopy = useCan("schedule.save");
  const maySave = mayCopy && schedule.may_write;
  const mayCancel = useCan("schedule.cancel") && schedule.may_write;
  const { id, title, is_open, repeats, start_sun, end_sun } = schedule;
  const isToCome = window.end > week.now;
  const to = (dialog: Record<string, string>) => ({ to: dialogHref(week, dialog), preventScrollReset: true });
  const isByClock = start_sun === null || end_sun === null;
  return (
    <div className="pair empty:hidden [&>*]:px-2 [&>:last-child:nth-child(odd)]:col-span-2">
      {maySave && is_open && isToCome && window.skipped === null && isByClock && (
        <ButtonLink
          {...to({ move: id, ...momentsOf(window, week.zone) })}
          aria-label={`Change hours of ${title}`}
          icon={<Clock className="size-4" />}
        >
          Change hours…
        </ButtonLink>
      )}
      {maySave && is_open && repeats && isToCome && window.skipped === null && (
        <ButtonLink
          {...to({ skip: id, night: window.date })}
          aria-label={`Skip this night of ${title}`}
          icon={<SkipForward className="size-4" />}
        >
          Skip this night…
        </ButtonLink>
      )}
      {maySave && is_open && isToCome && window.skipped?.by === "person" && (
        <Unskip id={id} title={title} date={window.date} />
      )}
      {maySave && is_open && (
        <ButtonLink {...to({ edit: id })} aria-label={`Edit ${title}`} icon={<Pencil className="size-4" />}>
          Edit…
        </ButtonLink>
      )}
      {mayCopy && (
        <ButtonLink {...to({ copy: id })} aria-label={`Copy ${title}`} icon={<Copy className="size-4" />}>
          Copy…
        </ButtonLink>
      )}
      {mayCancel && is_open && (
        <ButtonLink
          {...to({ cancel: id })}
          aria-label={`${repeats ? "Cancel the rest of" : "Cancel"} ${title}`}
          icon={<Ban className="size-4" />}
        >
          {repeats ? "Cancel the rest…" : "Cancel…"}
        </ButtonLink>
      )}
    </div>
  );
}

function Unskip({ id, title, date }: { id: string; title: string; date: string }) {
  const { fetcher, pending } = useAnswer();
  return (
    <fetcher.Form method="post" className="contents">
      <HiddenFields intent="unskip" id={id} />
      <input type="hidden" name="date" value={date} />
      <Button type="submit" aria-label={`Unskip this night of ${title}`} pending={pending}>
        Unskip
      </Button>
    </fetcher.Form>
  );
}
