import { counted } from "#domain/counted";
import type { WorkorderPriority } from "#domain/enums";
import { dayOf } from "#domain/time/display";
import { toInstant } from "#domain/time/wall-clock";
import { DAY_MS } from "#domain/time/units";
import { capitalized } from "#domain/capitalized";

/** Within how many days a work order is to be done, by its priority. It has no date of its own. */
const DUE_DAYS: Record<WorkorderPriority, number> = { urgent: 1, high: 3, medium: 14, low: 30 };

/** The instant (ISO 8601) before which a work order of the priority must have been made to be due by the end of today. */
export function madeBefore(priority: WorkorderPriority, zone: string, now: number): string {
  const day = dayOf(now, zone) + 1 - DUE_DAYS[priority];
  return new Date(toInstant(zone, day * DAY_MS)).toISOString();
}

type Due = { priority: WorkorderPriority; created_at: string; assignee: string | null };

/** 'Due today, open for 3 days (ana)', 'Overdue by 2 days, open for 5 days. Nobody has it'. */
export function orderSentence({ priority, created_at, assignee }: Due, zone: string, now: number): string {
  const open = dayOf(now, zone) - dayOf(Date.parse(created_at), zone);
  const late = open - DUE_DAYS[priority];
  const due = late <= 0 ? "due today" : `overdue by ${counted(late, "day")}`;
  const who = assignee === null ? ". Nobody has it" : ` (${assignee})`;
  const head = priority === "urgent" ? `Urgent and ${due}` : capitalized(due);
  return `${head}, open for ${counted(open, "day")}${who}`;
}
