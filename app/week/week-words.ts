import { counted, grouped } from "#domain/counted";
import { formatClock, formatDate, formatDay, formatHours, toLocalInput } from "#domain/time/display";
import { personOf } from "#domain/light/person-of";
import type { Piece } from "./rows";
import type { Week, WeekLimit, WeekSchedule, WeekWindow } from "./week";

/** 'Nov 23 - 29', or 'Nov 30 - Dec 6'; with its year where that is not this one. */
export function weekWords({ frame: { nights }, now, zone }: Pick<Week, "frame" | "now" | "zone">): string {
  const [begins = "", ends = ""] = [nights[0]?.date, nights.at(-1)?.date];
  const [first = "", last = ""] = [begins, ends].map((date) => formatDate(date).replace(/^\w+, /, ""));
  const [month, day] = last.split(" ");
  const days = first.startsWith(`${month} `) ? `${first} - ${day}` : `${first} - ${last}`;
  // It stands behind the last day, and so is that one's: the week of New Year begins in another.
  const year = ends.slice(0, 4);
  return year === toLocalInput(now, zone).date.slice(0, 4) ? days : `${days}, ${year}`;
}

/** 'All lights of Elm Park', 'Pitch' or a light's name: what a schedule is for. */
export function targetWords({ target }: WeekSchedule, area: string): string {
  return target.type === "area" ? `All lights of ${area}` : target.name;
}

/** '6:00 PM - 10:00 PM'; an edge by the sun is told with its event: '4:45 PM (sunset) - 10:00 PM'. */
export function hoursWords({ start, end }: WeekWindow, { start_sun, end_sun }: WeekSchedule, zone: string): string {
  const edge = (at: number, sun: string | null) => `${formatClock(at, zone)}${sun === null ? "" : ` (${sun})`}`;
  return `${edge(start, start_sun)} - ${edge(end, end_sun)}`;
}

/** 'Skipped: rain'; '' where it happens. */
export function skippedWords({ skipped }: WeekWindow): string {
  if (skipped === null) return "";
  const by = skipped.by === "person" ? "Skipped" : "Left out by its calendar";
  return skipped.reason === null ? by : `${by}: ${skipped.reason}`;
}

/** 'Dark 10:00 PM to 10:30 PM: curfew until 6:00 AM', or '2 of 6 lights dark ...'. `all` is how many it is for. */
export function limitWords({ from, to, words, lights }: WeekLimit, all: number, zone: string): string {
  const some = lights < all ? `${grouped(lights)} of ${counted(all, "light")} dark` : "Dark";
  const why = words.replace(/^([\d,]+ minutes?) reached$/, "the limit of $1 is reached");
  return `${some} ${formatClock(from, zone)} to ${formatClock(to, zone)}: ${why}`;
}

/** What stands on a block behind its title: '6:00 PM - 10:00 PM, Pitch, 2 lights, some dark'. */
export function blockWords({ window, schedule }: Piece, zone: string): string {
  const { target, lights } = schedule;
  const parts = [
    formatHours(window.start, window.end, zone),
    ...(target.type === "area" ? [] : [target.name]),
    ...(lights > 1 ? [counted(lights, "light")] : []),
    ...(window.limits.length > 0 ? [window.dark.length > 0 ? "cut" : "some dark"] : []),
  ];
  return parts.join(", ");
}

/** All that stands on a block: its title, hours, target and lights, and whether it is skipped. */
export function shownWords(piece: Piece, zone: string): string {
  const skipped = skippedWords(piece.window);
  const shown = `${piece.schedule.title} ${blockWords(piece, zone)}`;
  return skipped === "" ? shown : `${shown}, ${skipped}`;
}

/** The same and everything else that is drawn, as one sentence; it begins with what stands there, as speech control needs. */
export function pieceSentence(piece: Piece, zone: string): string {
  const { window, schedule } = piece;
  const { start_sun, end_sun, lights } = schedule;
  const more = [
    formatDay(window.start, zone),
    ...(start_sun === null ? [] : [`starts by ${start_sun}`]),
    ...(end_sun === null ? [] : [`ends by ${end_sun}`]),
    ...window.limits.map((limit) => limitWords(limit, lights, zone)),
  ];
  return [shownWords(piece, zone), ...more].join("; ");
}

/** '9 windows of 4 schedules; 1 is skipped, limits cut 2.' */
export function weekSentence({ windows, schedules, area, group, lights, hides }: Week): string {
  const place = group?.name ?? area?.name ?? "";
  // What is scheduled for a place has no windows until it has a light.
  if (area !== null && lights === 0 && !hides) return `There are no lights in ${place}.`;
  // What is planned for lights that are not shown is not known here.
  if (windows.length === 0)
    return `Nothing is scheduled for ${hides ? "the lights shown here of " : ""}${place} in this week.`;
  const skipped = windows.filter((window) => window.skipped !== null).length;
  const cut = windows.filter(({ limits }) => limits.length > 0).length;
  const more = [
    ...(skipped > 0 ? [`${skipped} ${skipped === 1 ? "is" : "are"} skipped`] : []),
    ...(cut > 0 ? [`limits cut ${cut}`] : []),
  ];
  const all = `${counted(windows.length, "window")} of ${counted(schedules.length, "schedule")} for ${place}`;
  return more.length > 0 ? `${all}; ${more.join(", ")}.` : `${all}.`;
}

/** Who made it; null where that is not known. */
export function whoWords({ who }: WeekSchedule): string | null {
  return who === null ? null : personOf(who);
}
