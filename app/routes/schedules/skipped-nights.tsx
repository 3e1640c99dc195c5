import { HiddenFields } from "#app/forms/hidden-fields";
import { useAnswer } from "#app/forms/use-answer";
import { useCan } from "#app/components/capability";
import { useOrganization } from "#app/components/organization";
import { classes } from "#app/ui/classes";
import { SkipForward, X } from "#app/ui/icons";
import type { MayWrite, SkippedDate } from "#domain/records/records";
import { dateWords } from "./skip-words";

type Props = { schedule: { id: string; skipped: SkippedDate[] } & MayWrite; name: string };

/** The coming nights that are left out, each with the way back. */
export function SkippedNights({ schedule, name }: Props) {
  if (schedule.skipped.length === 0) return null;
  return (
    <ul aria-label={`Skipped nights of ${name}`} className="mt-1.5 flex flex-wrap gap-1.5">
      {schedule.skipped.map((night) => (
        <SkippedNight key={night.date} schedule={schedule} name={name} night={night} />
      ))}
    </ul>
  );
}

function SkippedNight({ schedule, name, night: { date, reason } }: Props & { night: SkippedDate }) {
  const { fetcher, pending } = useAnswer();
  const maySave = useCan("schedule.save") && schedule.may_write;
  const { loaded_at } = useOrganization();
  const words = dateWords(date, loaded_at);
  return (
    <li className="bg-sunken text-ink-soft flex min-w-0 items-center rounded-2xl pl-2.5 text-xs">
      <SkipForward className="mr-1 size-3.5 shrink-0" />
      <span className={classes("min-w-0 break-words py-1", !maySave && "pr-2.5")}>
        Skipped {words}
        {reason && `: ${reason}`}
      </span>
      {maySave && (
        <fetcher.Form method="post" className="contents">
          <HiddenFields intent="unskip" id={schedule.id} />
          <input type="hidden" name="date" value={date} />
          <button
            type="submit"
            disabled={pending}
            aria-label={`Unskip ${words} of ${name}`}
            title="Unskip"
            className="hover:text-ink flex size-11 shrink-0 items-center justify-center rounded-full sm:size-7"
          >
            <X className="size-3.5" />
          </button>
        </fetcher.Form>
      )}
    </li>
  );
}
