import { Ban, CalendarClock, Copy, Lightbulb, MapPin, Pencil, Repeat, SkipForward } from "#app/ui/icons";
import { ScheduleStatusBadge } from "#app/components/badges";
import { useCan } from "#app/components/capability";
import { LongText } from "#app/routes/detail/long-text";
import { useOrganization } from "#app/components/organization";
import { SelectBox } from "#app/selection/select-box";
import type { Choosing } from "#app/selection/use-selection";
import { opens } from "#app/router/view";
import { wordsByZone } from "#domain/schedule/words-by-zone";
import { durationWords, formatDated } from "#domain/time/display";
import type { MayWrite, Schedule, SkippedDate } from "#domain/records/records";
import { Badge } from "#app/ui/badge";
import { Button } from "#app/ui/button";
import { Card } from "#app/ui/card";
import { SkippedNights } from "./skipped-nights";
import type { ComingNight } from "./skip-words";

export type Window = Pick<Schedule, "start_at" | "end_at">;

/**
 * A schedule with its recurrence in words, its first window, its next start (epoch ms) if it repeats, whether it runs now,
 * and the number of unfinished windows (null if it never ends, or has many).
 */
export type DescribedSchedule = Schedule &
  MayWrite & {
    words: string;
    first: Window;
    /** Why it lights nothing, though it is open; null where it does. */
    lights_nothing: string | null;
    next: number | null;
    is_running: boolean;
    left: number | null;
    /** The next nights of an open series, by which it can be skipped. */
    nights: ComingNight[];
    /** The coming dates that it leaves out. */
    skipped: SkippedDate[];
  };

/** `name` is what tells its buttons from those of another schedule. */
type Props = { schedule: DescribedSchedule; name: string; selection: Choosing };

export function ScheduleRow({ schedule, name, selection }: Props) {
  return (
    <li>
      <Card aria-label={schedule.title} className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-4 py-3">
        <div className="min-w-0 flex-[2_1_14rem] sm:flex-[2_1_18rem]">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h2 className="min-w-0 font-semibold">{schedule.title}</h2>
            <ScheduleStatusBadge status={schedule.status} />
            {schedule.is_running && (
              // What runs may be kept dark by a limit or a person: it does not glow as a lit lamp does.
              <Badge tone="ok" icon={<CalendarClock />}>
                Running now
              </Badge>
            )}
            {schedule.rrule && (
              <Badge tone="neutral" icon={<Repeat />}>
                Recurring
              </Badge>
            )}
          </div>
          {schedule.description_short && (
            <LongText text={schedule.description_short} className="text-ink-soft mt-0.5" />
          )}
          <p className="text-ink-soft mt-1 flex flex-wrap gap-x-4 gap-y-0.5 [&_svg]:size-3.5 [&_svg]:shrink-0">
            <span className="flex items-center gap-1.5">
              <Lightbulb />
              <span className="sr-only">Device</span>
              {schedule.device_name}
            </span>
            <span className="flex items-center gap-1.5">
              <MapPin />
              <span className="sr-only">Area</span>
              {schedule.area_name}
            </span>
          </p>
        </div>
        {selection.isOn && (
          // On a wide screen it takes the buttons' place, so that nothing moves; on a phone it is beside the title.
          <div className="xl:order-1 xl:flex xl:w-52 xl:justify-end">
            <SelectBox id={schedule.id} name={name} selection={selection} />
          </div>
        )}
        <div className="min-w-0 flex-[1_1_22rem]">
          <When schedule={schedule} />
          {schedule.lights_nothing && (
            <p className="text-warn-text mt-0.5 text-xs">Lights nothing: {schedule.lights_nothing}</p>
          )}
          <SkippedNights schedule={schedule} name={name} />
        </div>
        {!selection.isOn && <Actions schedule={schedule} name={name} />}
      </Card>
    </li>
  );
}

/** A series begins with what repeats and its next night, of which the first one may be years ago. */
function When({ schedule }: { schedule: DescribedSchedule }) {
  const { zone, loaded_at } = useOrganization();
  const { rrule, start_sun, end_sun, next } = schedule;
  const { start_at, end_at } = schedule.first;
  const words = wordsByZone(schedule, zone);
  const first = (
    <>
      <time dateTime={start_at}>{formatDated(start_at, zone, loaded_at)}</time>
      <span>-</span>
      <time dateTime={end_at}>{formatDated(end_at, zone, loaded_at)}</time>
      <span className="text-ink-faint font-normal">({durationWords(start_at, end_at)})</span>
    </>
  );
  if (rrule === null) {
    return (
      <>
        <p className="flex flex-wrap items-center gap-x-1.5 font-medium">{first}</p>
        {(start_sun || end_sun) && <p className="text-ink-soft mt-0.5 text-xs">{words}</p>}
      </>
    );
  }
  return (
    <>
      <p className="flex flex-wrap gap-x-2 font-medium">
        <span>{words}</span>
        {next && <span className="text-ink-soft">Next: {formatDated(next, zone, loaded_at)}</span>}
      </p>
      <p className="text-ink-soft mt-0.5 flex flex-wrap items-center gap-x-1.5 text-xs">
        <span>First:</span>
        {first}
      </p>
    </>
  );
}

/** Only a schedule with the status scheduled can be edited or canceled. */
function Actions({ schedule, name }: Omit<Props, "selection">) {
  const mayCopy = useCan("schedule.save");
  const mayEdit = mayCopy && schedule.may_write;
  const mayCancel = useCan("schedule.cancel") && schedule.may_write;
  const isOpen = schedule.status === "scheduled";
  return (
    // Of four on a phone the last would stand alone.
    <div className="flex flex-wrap gap-2 empty:hidden max-[26rem]:has-[>:nth-child(4)]:grid max-[26rem]:has-[>:nth-child(4)]:grid-cols-2 xl:w-52 xl:justify-end xl:empty:block">
      {isOpen && mayEdit && (
        <Button
          size="sm"
          aria-label={`Edit ${name}`}
          icon={<Pencil className="size-3.5" />}
          {...opens("edit", schedule.id)}
        >
          Edit
        </Button>
      )}
      {isOpen && mayCancel && (
        <Button
          size="sm"
          aria-label={`Cancel ${name}`}
          icon={<Ban className="size-3.5" />}
          {...opens("cancel", schedule.id)}
        >
          Cancel
        </Button>
      )}
      {isOpen && mayEdit && schedule.nights.length > 0 && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Skip a night of ${name}`}
          icon={<SkipForward className="size-3.5" />}
          {...opens("skip", schedule.id)}
        >
          Skip
        </Button>
      )}
      {mayCopy && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Copy ${name}`}
          icon={<Copy className="size-3.5" />}
          {...opens("copy", schedule.id)}
        >
          Copy
        </Button>
      )}
    </div>
  );
}
