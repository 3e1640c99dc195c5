import { toLocalInput } from "#domain/time/display";

export const CANCEL_WORDS = { keep: "Keep schedule", go: "Cancel schedule", going: "Canceling..." };

type Cancelable = {
  rrule: string | null;
  start_at: string;
  timezone: string;
  left: number | null;
  is_running: boolean;
};

/**
 * What canceling removes from a schedule, 'all 31 nights to come, for good', and darkens now. `left` is null if it never
 * ends, or has many, and 0 where all that are to come are skipped.
 */
export function cancelWords(schedule: Cancelable & { title: string }): string {
  const { title, is_running } = schedule;
  const removed = hasTimes(schedule) ? `: ${seriesWords([schedule])}, for good` : "";
  const dark = is_running ? " It runs now; its lights go off." : "";
  return `Are you sure you want to cancel "${title}"${removed}? This prevents scheduled device control.${dark}`;
}

/** The same for several schedules. */
export function cancelAllWords(schedules: Cancelable[]): string {
  const series = schedules.filter(hasTimes);
  const also = series.length > 0 ? ` ${seriesOf(series.length)}: ${seriesWords(series)}, for good.` : "";
  const dark = darkWords(schedules.filter(({ is_running }) => is_running).length);
  return `Are you sure you want to cancel what is selected?${also} This prevents scheduled device control.${dark}`;
}

function darkWords(running: number): string {
  if (running === 0) return "";
  return running === 1
    ? " One of them runs now; its lights go off."
    : ` ${running} of them run now; their lights go off.`;
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
