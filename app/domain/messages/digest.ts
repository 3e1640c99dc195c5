import { counted, grouped } from "#domain/counted";
import { ALARM_KINDS, type AlarmKind } from "#domain/enums";
import { isUrgent } from "./escalation";
import { shortened } from "./shortened";

/** An alarm that quiet hours have held back, and whether it is over by now. */
export type HeldAlarm = { kind: AlarmKind; message: string; isOver: boolean };

/** More lines are no message any more, but a list. */
const MOST_LINES = 6;

/**
 * The one message at the end of quiet hours: how many alarms there were, those that are not over first, and the worst
 * first; null where all of them are over and nothing was left out of `alarms`. `count` may be more than are known.
 */
export function digestText(alarms: HeldAlarm[], count: number): string | null {
  const open = alarms.filter(({ isOver }) => !isOver);
  if (open.length === 0 && count === alarms.length) return null;
  const sorted = [...open.toSorted(byWeight), ...alarms.filter(({ isOver }) => isOver).toSorted(byWeight)];
  const lines = sorted
    .slice(0, MOST_LINES)
    .map(({ message, isOver }) => shortened(isOver ? `Over by now: ${message}` : message));
  const more = count - lines.length;
  return [
    summary(open.length, count, alarms.length),
    ...lines,
    ...(more > 0 ? [`And ${grouped(more)} more.`] : []),
  ].join("\n");
}

/** '3 alarms in your quiet hours, 2 of them not over:'. */
function summary(open: number, count: number, known: number): string {
  const all = `${counted(count, "alarm")} in your quiet hours`;
  if (count === 1) return `${all}, not over:`;
  if (open === 0) return `${all}:`;
  return `${all}, ${count > known ? "at least " : ""}${grouped(open)} of them not over:`;
}

function byWeight(a: HeldAlarm, b: HeldAlarm): number {
  return (
    Number(isUrgent(b.kind)) - Number(isUrgent(a.kind)) || ALARM_KINDS.indexOf(a.kind) - ALARM_KINDS.indexOf(b.kind)
  );
}
