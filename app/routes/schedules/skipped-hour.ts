import { Refusal } from "#domain/errors";
import { dateAfter } from "#domain/time/date-after";
import { formatClock, formatDate, fromLocalInput, toLocalInput } from "#domain/time/display";
import { DAY_MS } from "#domain/time/units";
import type { Draft } from "./draft";
import { firstWindow } from "./first-window";
import type { Edge } from "./sun-draft";

/**
 * The draft, sent at `now` (epoch ms), of which no first night of a series lacks the hour of its start or end, since clocks
 * go forward then. A booking that comes once is moved by that hour; a series has its hours from its first night, and would be
 * moved every night. One that has long begun begins a time later, which leaves the nights to come as they are; any other is
 * refused with `invalid`.
 */
export function withoutSkippedHour(draft: Draft, zone: string, now: number): Draft {
  const edge = skippedIn(draft, zone);
  if (edge === undefined) return draft;
  const later = begunLater(draft, zone, now);
  if (later && skippedIn(later, zone) === undefined) return later;
  const { [`${edge}_date` as const]: date, [`${edge}_time` as const]: time } = draft;
  const hour = `${formatClock(Date.parse(`${date}T${time}Z`), "UTC")} on ${formatDate(date)}`;
  const detail = `Clocks go forward and skip ${hour}. A series has its hours from its first night: begin on another`;
  throw new Refusal("invalid", detail, { fields: { [`${edge}_at`]: detail } });
}

function skippedIn(draft: Draft, zone: string): Edge | undefined {
  if (draft.repeat === "none") return undefined;
  return (["start", "end"] as const).find((edge) => {
    const [date, time] = [draft[`${edge}_date`], draft[`${edge}_time`]];
    const at = draft[`${edge}_sun`].by === "clock" ? fromLocalInput({ date, time }, zone) : null;
    return at !== null && toLocalInput(at, zone).time !== time;
  });
}

/** The series from its next time on, where that is over by now; null where it is not, or its times are counted. */
function begunLater(draft: Draft, zone: string, now: number): Draft | null {
  const { start, end } = firstWindow(draft, zone);
  const days = draft.interval * (draft.repeat === "weekly" ? 7 : 1);
  const isOver = start !== null && end !== null && end + days * DAY_MS <= now;
  if (draft.ends === "count" || !isOver || !(days > 0)) return null;
  return { ...draft, start_date: dateAfter(draft.start_date, days), end_date: dateAfter(draft.end_date, days) };
}
