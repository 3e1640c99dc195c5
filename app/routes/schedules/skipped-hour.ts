import { Refusal } from "#domain/errors";
import { formatClock, formatDate, fromLocalInput, toLocalInput } from "#domain/time/display";
import type { Draft } from "./draft";

/**
 * Refuses a series whose first night lacks the hour of its start or end, since clocks go forward then. A booking that comes
 * once is moved by that hour; a series has its hours from its first night, and would be moved every night.
 */
export function refuseSkippedHour(draft: Draft, zone: string): void {
  if (draft.repeat === "none") return;
  for (const edge of ["start", "end"] as const) {
    const { date, time } = { date: draft[`${edge}_date`], time: draft[`${edge}_time`] };
    const at = draft[`${edge}_sun`].by === "clock" ? fromLocalInput({ date, time }, zone) : null;
    if (at === null || toLocalInput(at, zone).time === time) continue;
    const hour = `${formatClock(Date.parse(`${date}T${time}Z`), "UTC")} on ${formatDate(date)}`;
    const detail = `Clocks go forward and skip ${hour}. A series has its hours from its first night: begin on another`;
    throw new Refusal("invalid", detail, { fields: { [`${edge}_at`]: detail } });
  }
}
