import { formatClock, formatDay, formatHours, YEAR_SAID_AFTER_MS } from "#domain/time/display";
import type { Weekday } from "#domain/enums";
import { lastEnd, lastOccurrence } from "./recurrence";
import { parseRule, type Rule } from "./rule";
import type { Recurring } from "./schedule";
import type { SunTime } from "./sun-time";
import { onEveryDate } from "./time-by-sun";
import { toWall } from "#domain/time/wall-clock";

/**
 * A schedule in words, in its own zone: 'Every Mon and Wed, 6:00 PM - 10:00 PM, 10 times, until Wed, Feb 3', and which
 * calendar it keeps to: 'Every day, 6:00 PM - 10:00 PM, never ends, not on the dates of Holidays'.
 */
export function describeRule(described: Recurring): string {
  const { name, rule } = described.calendar ?? {};
  if (name === undefined) return ruleWords(described);
  return `${ruleWords(described)}, ${rule === "only" ? "only" : "not"} on the dates of ${name}`;
}

function ruleWords(described: Recurring): string {
  // The dates are those of the rule, whatever the sun or a calendar takes from them.
  const schedule = onEveryDate(described);
  const { timezone: zone, rrule } = schedule;
  const begin = Date.parse(described.start_at);
  const hours = hoursOf(described);
  if (rrule === null) return `Once, ${formatDay(begin, zone)}, ${hours}`;
  const rule = parseRule(rrule);
  if (rule === null) return "Never: its rule can't be read";

  const words = [everyWords(rule), hours];
  if (rule.count !== null) words.push(rule.count === 1 ? "once" : `${rule.count} times`);
  if (lastEnd(schedule) === null) return [...words, "never ends"].join(", ");
  const last = lastOccurrence(schedule);
  if (!last) return [...words, "ends before it begins"].join(", ");
  const isFar = last.start - begin > YEAR_SAID_AFTER_MS;
  const year = isFar ? `, ${new Date(toWall(zone, last.start)).getUTCFullYear()}` : "";
  return [...words, `until ${formatDay(last.start, zone)}${year}`].join(", ");
}

function hoursOf({ start_at, end_at, timezone, start_sun, end_sun }: Recurring): string {
  if (start_sun || end_sun) {
    const clock = (at: string) => formatClock(Date.parse(at), timezone);
    return `${start_sun ? sunWords(start_sun) : clock(start_at)} to ${end_sun ? sunWords(end_sun) : clock(end_at)}`;
  }
  const [start, end] = [Date.parse(start_at), Date.parse(end_at)];
  const wall = toWall(timezone, start);
  const nominal = toWall(timezone, end) - wall;
  return formatHours(wall, wall + (nominal > 0 ? nominal : end - start), "UTC");
}

/** 'sunset', '30 min after sunset', '15 min before dawn'. */
function sunWords({ event, offset_min }: SunTime): string {
  if (offset_min === 0) return event;
  return `${Math.abs(offset_min)} min ${offset_min > 0 ? "after" : "before"} ${event}`;
}

const DAY_NAMES = {
  MO: "Mon",
  TU: "Tue",
  WE: "Wed",
  TH: "Thu",
  FR: "Fri",
  SA: "Sat",
  SU: "Sun",
} satisfies Record<Weekday, string>;

function everyWords(rule: Rule): string {
  if (rule.freq === "DAILY") return rule.interval === 1 ? "Every day" : `Every ${rule.interval} days`;
  const names = rule.byday.map((day) => DAY_NAMES[day]);
  const days = [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");
  return rule.interval === 1 ? `Every ${days}` : `Every ${rule.interval} weeks on ${days}`;
}
