import { useRef } from "react";
import { CalendarDays } from "#app/ui/icons";
import { describeRule } from "#domain/schedule/describe-rule";
import { parseRule } from "#domain/schedule/rule";
import type { Recurring } from "#domain/schedule/schedule";
import { classes } from "#app/ui/classes";
import { PreviewWindows } from "./preview-windows";
import { usePreview } from "./use-preview";

/** `start_at` and `end_at` are '' while they are half typed; a change of `target` asks again. */
type Props = { schedule: Recurring; target: string };

/** The schedule in words, and what it would come to: its next windows, what cuts them, and what else lights the same. */
export function Preview({ schedule, target }: Props) {
  const element = useRef<HTMLElement>(null);
  const missing = missingIn(schedule);
  const { answer, isOld } = usePreview(element, `${target} ${JSON.stringify(schedule)}`);
  return (
    <section ref={element} aria-label="Preview" className="bg-sunken rounded-lg px-3 py-2.5">
      <p className={classes("flex items-start gap-2", missing === null ? "font-medium" : "text-ink-soft")}>
        <CalendarDays className="mt-0.5 size-4 shrink-0" />
        {missing ?? describeRule(schedule)}
      </p>
      {missing === null && answer && (
        <div aria-live="polite" aria-busy={isOld} className={classes("transition-opacity", isOld && "opacity-50")}>
          {answer.problem && <p className="text-ink-soft mt-1.5">{answer.problem}</p>}
          {answer.preview && <PreviewWindows preview={answer.preview} zone={schedule.timezone} />}
        </div>
      )}
    </section>
  );
}

/** What the form still needs before it can say when the lights will be on; null if nothing. */
function missingIn({ start_at, end_at, rrule, start_sun, end_sun }: Recurring): string | null {
  if (!start_at || !end_at) return "Choose when it starts and ends to see when the light will be on.";
  if (!start_sun && !end_sun && start_at >= end_at) return "The end must be after the start.";
  if (rrule !== null && parseRule(rrule) === null) return "Choose how it repeats to see when the light will be on.";
  return null;
}
