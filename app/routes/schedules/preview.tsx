import { CalendarDays, TriangleAlert } from "#app/ui/icons";
import { formatClock, formatDay, formatHours } from "#domain/display";
import { cutBy, type RestrictedWindow } from "#domain/guardrail";
import { describeRule } from "#domain/describe-rule";
import { nextStart, occurrences } from "#domain/recurrence";
import { parseRule } from "#domain/rule";
import type { Guardrails, Occurrence, Recurring } from "#domain/schedule";
import { classes } from "#app/ui/classes";

/** `start_at` and `end_at` are '' while they are half typed; `guardrails` null until they are known. */
type Props = { schedule: Recurring; guardrails: Guardrails | null };

const SHOWN = 4;
const HORIZON_MS = 40 * 86_400_000;
const MINUTE_MS = 60_000;

/** The schedule in words and dates, and where a guardrail will cut it short. */
export function Preview({ schedule, guardrails }: Props) {
  const missing = missingIn(schedule);
  const coming = missing === null ? nextOccurrences(schedule, Date.now()) : [];
  return (
    <section aria-label="Preview" className="bg-sunken rounded-lg px-3 py-2.5">
      <p className={classes("flex items-start gap-2", missing === null ? "font-medium" : "text-ink-soft")}>
        <CalendarDays aria-hidden className="mt-0.5 size-4 shrink-0" />
        {missing ?? describeRule(schedule)}
      </p>
      {missing === null && coming.length === 0 && <p className="text-ink-soft mt-1.5">Nothing is still to come.</p>}
      <ul className="text-ink-soft mt-1.5 flex flex-col gap-1 empty:hidden">
        {coming.map((occurrence) => (
          <Coming key={occurrence.start} occurrence={occurrence} zone={schedule.timezone} guardrails={guardrails} />
        ))}
      </ul>
    </section>
  );
}

/** What the form still needs before it can say when the lights will be on; null if nothing. */
function missingIn({ start_at, end_at, rrule }: Recurring): string | null {
  if (!start_at || !end_at) return "Choose when it starts and ends to see when the light will be on.";
  if (start_at >= end_at) return "The end must be after the start.";
  if (rrule !== null && parseRule(rrule) === null) return "Choose how it repeats to see when the light will be on.";
  return null;
}

function Coming({
  occurrence,
  zone,
  guardrails,
}: {
  occurrence: Occurrence;
  zone: string;
  guardrails: Guardrails | null;
}) {
  const cut = guardrails && cutWords(occurrence, zone, guardrails);
  return (
    <li className="flex flex-wrap gap-x-2">
      <span>
        {formatDay(occurrence.start, zone)}, {formatHours(occurrence.start, occurrence.end, zone)}
      </span>
      {cut && (
        <span className="text-warn-text flex items-center gap-1 font-medium">
          <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
          {cut}
        </span>
      )}
    </li>
  );
}

/** Starts with the occurrence that is running, if any. */
function nextOccurrences(schedule: Recurring, now: number): Occurrence[] {
  const from = occurrences(schedule, now, now + 1)[0]?.start ?? nextStart(schedule, now - 1);
  return from === null ? [] : occurrences(schedule, Math.max(from, now), from + HORIZON_MS).slice(0, SHOWN);
}

/** The guardrail that cuts it first: a curfew or blackout, or MAX_ON_DURATION_MIN. */
function cutWords(occurrence: Occurrence, zone: string, guardrails: Guardrails): string | null {
  const cut = cutBy(guardrails, occurrence);
  const max_on_at = occurrence.start + guardrails.MAX_ON_DURATION_MIN * MINUTE_MS;
  if (max_on_at < Math.min(occurrence.end, cut?.start ?? Infinity)) {
    return `off at ${formatClock(max_on_at, zone)}: ${guardrails.MAX_ON_DURATION_MIN} minutes are the most`;
  }
  return cut && windowWords(cut, occurrence, zone);
}

/** A window that is still running after a curfew or blackout resumes. */
function windowWords({ kind, start, end }: RestrictedWindow, occurrence: Occurrence, zone: string): string {
  if (start <= occurrence.start && end >= occurrence.end) return `stays dark: ${kind}`;
  if (start <= occurrence.start) return `dark until ${formatClock(end, zone)}: ${kind}`;
  const resumes = end < occurrence.end ? `, on again at ${formatClock(end, zone)}` : "";
  return `off from ${formatClock(start, zone)}: ${kind}${resumes}`;
}
