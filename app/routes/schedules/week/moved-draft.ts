import { formatClock } from "#domain/time/display";
import { seriesWords } from "#app/routes/schedules/cancel-words";
import { changed, linked, touchedIn, type Draft } from "#app/routes/schedules/draft";
import type { DescribedSchedule } from "#app/routes/schedules/schedule-row";

/**
 * The draft with the hours of a window that was dragged, as a link has them ('2026-11-24T18:30'; '' keeps them), or with a
 * part that was typed. What repeats keeps its first date and its days, and an edge by the sun stays by the sun.
 */
export function movedDraft(draft: Draft, link: { start: string; end: string }, typed: Partial<Draft> = {}): Draft {
  const [start_date = draft.start_date, start_time = draft.start_time] = linked(link.start);
  const [, end_time = draft.end_time] = linked(link.end);
  const isByClock = draft.start_sun.by === "clock" && draft.end_sun.by === "clock";
  const part = {
    start_date: draft.repeat === "none" ? start_date : draft.start_date,
    start_time: draft.start_sun.by === "clock" ? start_time : draft.start_time,
    end_time: draft.end_sun.by === "clock" ? end_time : draft.end_time,
    ...typed,
  };
  return changed(draft, part, {
    proposed: null,
    end_date: !isByClock && touchedIn(draft, false).end_date,
    days: true,
  });
}

/** What a change of hours concerns: 'City league, now 6:00 PM - 10:00 PM. This changes all 31 nights to come.' */
export function moveWords(schedule: DescribedSchedule, zone: string): string {
  const { title, start_at, end_at, rrule, start_sun, end_sun } = schedule;
  const edge = (at: string, sun: { event: string } | null | undefined) =>
    sun ? sun.event : formatClock(Date.parse(at), zone);
  const now = `${title}, now ${edge(start_at, start_sun)} to ${edge(end_at, end_sun)}.`;
  return rrule === null ? `${now} It happens once.` : `${now} This changes ${seriesWords([schedule])}.`;
}
