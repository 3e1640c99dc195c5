import { WEEKDAYS, type Weekday } from "#domain/enums";

/** A supported rule. `byday` is in the order of the week, empty if daily; `until` is in RFC 5545 format. */
export type Rule = {
  freq: "DAILY" | "WEEKLY";
  interval: number;
  byday: Weekday[];
  count: number | null;
  until: string | null;
};

/** Parses a rule; null if it is not supported. Ignores case (RFC 5545). */
export function parseRule(text: string): Rule | null {
  if (!/^[A-Za-z0-9=;,]+$/.test(text)) return null;
  const parts = new Map<string, string>();
  for (const part of text.toUpperCase().split(";")) {
    const [name = "", value = "", ...more] = part.split("=");
    if (!RULE_PARTS.has(name) || parts.has(name) || more.length > 0) return null;
    parts.set(name, value);
  }

  const freq = parts.get("FREQ");
  const interval = numberUpTo(366, parts.get("INTERVAL") ?? "1");
  const byday = parseDays(parts.get("BYDAY"));
  const count = parts.has("COUNT") ? numberUpTo(100, parts.get("COUNT") ?? "") : null;
  const until = parts.get("UNTIL") ?? null;
  if ((freq !== "DAILY" && freq !== "WEEKLY") || interval === null || byday === null) return null;
  if ((freq === "WEEKLY") !== byday.length > 0) return null;
  if (parts.has("COUNT") && (count === null || until !== null)) return null;
  if (until !== null && parseUntil(until) === null) return null;
  return { freq, interval, byday, count, until };
}

/** Formats a rule as stored: FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10. The count may be unvalidated input. */
export function formatRule(rule: Omit<Rule, "count"> & { count: number | string | null }): string {
  const parts = [`FREQ=${rule.freq}`];
  if (rule.interval > 1) parts.push(`INTERVAL=${rule.interval}`);
  if (rule.byday.length > 0) parts.push(`BYDAY=${rule.byday.join(",")}`);
  if (rule.count !== null) parts.push(`COUNT=${rule.count}`);
  if (rule.until !== null) parts.push(`UNTIL=${rule.until}`);
  return parts.join(";");
}

/** An UNTIL with Z is an instant, any other a wall time (epoch ms, as in wall-clock.ts); a bare date means its end. */
export type Until = { is: "instant" | "wall"; at: number };

/** The end named by a rule's UNTIL; null if it is not a date. */
export function parseUntil(text: string): Until | null {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T([01]\d|2[0-3])([0-5]\d)([0-5]\d)(Z?))?$/.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, zulu] = match;
  const iso = `${year}-${month}-${day}T${hour ?? "23"}:${minute ?? "59"}:${second ?? "59"}.${hour ? "000" : "999"}Z`;
  const at = Date.parse(iso);
  if (Number.isNaN(at) || new Date(at).toISOString() !== iso) return null;
  return { is: zulu === "Z" ? "instant" : "wall", at };
}

const RULE_PARTS = new Set(["FREQ", "INTERVAL", "BYDAY", "COUNT", "UNTIL"]);

function numberUpTo(most: number, text: string): number | null {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= most ? number : null;
}

function parseDays(text: string | undefined): Weekday[] | null {
  if (text === undefined) return [];
  const named = text.split(",");
  const days = WEEKDAYS.filter((day) => named.includes(day));
  return days.length === named.length ? days : null;
}
