import { toLocalInput } from "#domain/time/display";

export const CANCEL_WORDS = { keep: "Keep schedule", go: "Cancel schedule", going: "Canceling..." };

type Cancelable = { rrule: string | null; start_at: string; timezone: string; left: number | null };

/**
 * What canceling removes from a schedule: 'all 31 nights to come, for good'. `left` is null if it never ends, or has many, and
 * 0 where all that are to come are skipped.
 */
export function cancelWords(schedule: Cancelable & { title: string }): string {
  const { title } = schedule;
  const ask = `Are you sure you want to cancel "${title}"`;
  const prevents = "This prevents scheduled device control.";
  if (!hasTimes(schedule)) return `${ask}? ${prevents}`;
  return `${ask}: ${seriesWords([schedule])}, for good? ${prevents}`;
}

/** The same for several schedules. */
export function cancelAllWords(schedules: Cancelable[]): string {
  const series = schedules.filter(hasTimes);
  const also = series.length > 0 ? ` ${seriesOf(series.length)}: ${seriesWords(series)}, for good.` : "";
  return `Are you sure you want to cancel what is selected?${also} This prevents scheduled device control.`;
}

/** Whether it repeats and has times to come that canceling removes. */
function hasTimes({ rrule, left }: Cancelable): boolean {
  return rrule !== null && left !== 0;
}

function seriesOf(count: number): string {
  return count === 1 ? "One of them repeats" : `${count} of them repeat`;
}

/** 'all 31 nights to come', of schedules that repeat. */
export function seriesWords(series: Cancelable[]): string {
  const times = series.every(isOfANight) ? "night" : "time";
  if (series.some(({ left }) => left === null)) return `every ${times} to come`;
  const sum = series.reduce((total, { left }) => total + (left ?? 0), 0);
  return sum === 1 ? `the last ${times} to come` : `all ${sum} ${times}s to come`;
}

function isOfANight({ start_at, timezone }: Cancelable): boolean {
  const { time } = toLocalInput(start_at, timezone);
  return time >= "16:00" || time < "05:00";
}
