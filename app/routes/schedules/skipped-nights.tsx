import { HiddenFields } from "#app/forms/hidden-fields";
import { useAnswer } from "#app/forms/use-answer";
import { useCan } from "#app/components/capability";
import { SkipForward, X } from "#app/ui/icons";
import { dateWords } from "./skip-words";

type Props = { schedule: { id: string; title: string; skipped: string[] } };

/** The coming nights that are left out, each with the way back. */
export function SkippedNights({ schedule }: Props) {
  if (schedule.skipped.length === 0) return null;
  return (
    <ul aria-label={`Skipped nights of ${schedule.title}`} className="mt-1.5 flex flex-wrap gap-1.5">
      {schedule.skipped.map((date) => (
        <SkippedNight key={date} schedule={schedule} date={date} />
      ))}
    </ul>
  );
}

function SkippedNight({ schedule, date }: Props & { date: string }) {
  const { fetcher, pending } = useAnswer();
  const maySave = useCan("schedule.save");
  const words = dateWords(date);
  return (
    <li className="bg-sunken text-ink-soft flex items-center rounded-full pl-2.5 text-xs">
      <SkipForward aria-hidden className="mr-1 size-3.5" />
      <span className={maySave ? "" : "py-1 pr-2.5"}>Skipped {words}</span>
      {maySave && (
        <fetcher.Form method="post" className="contents">
          <HiddenFields intent="unskip" id={schedule.id} />
          <input type="hidden" name="date" value={date} />
          <button
            type="submit"
            disabled={pending}
            aria-label={`Unskip ${words} of ${schedule.title}`}
            title="Unskip"
            className="hover:text-ink flex size-11 items-center justify-center rounded-full sm:size-7"
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </fetcher.Form>
      )}
    </li>
  );
}
