import type { DeviceState } from "#domain/enums";
import type { Explanation } from "#domain/resolve/explanation";
import type { Segment } from "#domain/forecast/forecast-segments";
import type { Hold } from "#domain/resolve/hold";
import { personOf } from "#domain/light/person-of";

/** Why a bar is there: what lights a light, or what keeps it dark. Each has a color and a second sign. */
const WHYS = ["booked", "sun", "hand", "emergency", "unasked", "held", "cut", "closed"] as const;
export type Why = (typeof WHYS)[number];

/** The reasons for light; the others keep a light dark. */
const LIGHT: readonly Why[] = ["booked", "sun", "hand", "emergency", "unasked"];

/** Some time in which a light is planned on, or kept dark, for one reason. Instants are epoch ms. */
export type NightBar = {
  from: number;
  to: number;
  why: Why;
  reason: Explanation["reason"];
  /** 'Under-12 training', 'wet ground': what a person would call it. */
  text: string;
  /** Why, in the engine's sentence. */
  sentence: string;
  schedule_ids: string[];
  /** The group that it is for, if one schedule of a named group is behind it. */
  group: string | null;
  /** The series behind it, of which the person may skip this night. */
  series: string | null;
  /** Who made it, if that is known. */
  who: string | null;
  /** Somebody skipped it: it is planned, and does not happen. To the rules it keeps the light dark. */
  isSkipped?: true;
  /** It began before the night's own noon, or goes on behind the other one; what begins or ends at noon sharp does not. */
  isFromBefore?: true;
  goesOn?: true;
  /** Another one keeps the light on up to the noon at which this begins, or from the noon at which it ends. */
  isOnBefore?: true;
  isOnAfter?: true;
};

/** What readings said of a stretch, beside the plan: lit as planned, dark or lit against it, or nobody knows. */
export type Seen = { from: number; to: number; as: "lit" | "failed" | "unasked" | "unknown" };

/** A light in one night. */
export type NightLight = {
  id: string;
  name: string;
  area_id: string;
  /** As last read, and why that is wrong; of the running night. */
  state: DeviceState;
  problem: string | null;
  hold: Hold | null;
  may_toggle: boolean;
  bars: NightBar[];
  seen: Seen[];
};

/**
 * What a bar says of the schedule behind it. `group` is the name of the group that it is for; `may_skip` says that it repeats, and
 * that the person may write all of its lights.
 */
export type NightSchedule = {
  id: string;
  title: string;
  by_sun: boolean;
  may_skip: boolean;
  who: string | null;
  group: string | null;
};

type Verified = { from: number; to: number; state: DeviceState };

/** A lamp takes its time to switch and to be read; what is shorter than this is not told as wrong. */
const GRACE_MS = 3 * 60_000;

/** Whether the bar's light is planned on. */
export function isLight({ why }: Pick<NightBar, "why">): boolean {
  return LIGHT.includes(why);
}

/** Names a bar among those of its light: only of what is skipped do several begin together. */
export function barKey({ from, schedule_ids, isSkipped }: NightBar): string {
  return [from, ...(isSkipped ? schedule_ids : [])].join(" ");
}

/** What was wanted until now and what is foreseen after it as one row of segments, equal neighbours joined. */
export function joined(segments: readonly Segment[]): Segment[] {
  const rows: Segment[] = [];
  for (const segment of segments) {
    const last = rows.at(-1);
    if (last && last.to === segment.from && keyOf(last) === keyOf(segment)) {
      rows[rows.length - 1] = { ...segment, from: last.from };
    } else rows.push(segment);
  }
  return rows;
}

/** The bars of a light: what lights it, and what keeps dark what is closed, held or booked. `now` is epoch ms. */
export function barsOf(
  segments: readonly Segment[],
  schedules: ReadonlyMap<string, NightSchedule>,
  { hold, now }: { hold: Hold | null; now: number },
): NightBar[] {
  const bars: NightBar[] = [];
  for (const segment of segments) {
    const why = whyOf(segment, schedules);
    if (why === null) continue;
    const { from, to, reason, sentence, schedule_ids } = segment;
    const own = hold !== null && isOfHold(segment, why, hold, now) ? hold : null;
    const bar = {
      from,
      to,
      why,
      reason,
      sentence,
      schedule_ids,
      text: textOf(segment, why, schedules, own),
      group: groupOf(schedule_ids, schedules),
      series: schedule_ids.find((id) => schedules.get(id)?.may_skip) ?? null,
      who: own ? personOf(own.by) : isOfItself(why) ? null : whoOf(schedule_ids, schedules),
    };
    const last = bars.at(-1);
    if (last && isOne(last, bar)) {
      bars[bars.length - 1] = {
        ...last,
        ...(own && { text: bar.text, who: bar.who }),
        to,
        schedule_ids: [...new Set([...last.schedule_ids, ...schedule_ids])],
        // Of a booking that is over no night is left to be skipped.
        series: (last.to > now ? last.series : null) ?? bar.series,
      };
    } else bars.push(bar);
  }
  return bars;
}

/** Bars as far as they lie within a night, each marked where it, or its light, reaches beyond. The other ones are left out. */
export function within(bars: readonly NightBar[], { from, to }: Stretch): NightBar[] {
  const lit = bars.filter(isLight);
  return bars.flatMap((bar) => {
    if (bar.to <= from || bar.from >= to) return [];
    const inside = clipped(bar, { from, to });
    if (bar.from < from) inside.isFromBefore = true;
    if (bar.to > to) inside.goesOn = true;
    if (bar.from === from && lit.some((other) => other.to === from)) inside.isOnBefore = true;
    if (bar.to === to && lit.some((other) => other.from === to)) inside.isOnAfter = true;
    return [inside];
  });
}

/** The part of a stretch that lies within another one; it ends before it begins where none does. */
export function clipped<One extends Stretch>(one: One, { from, to }: Stretch): One {
  return { ...one, from: Math.max(one.from, from), to: Math.min(one.to, to) };
}

/**
 * What readings said beside the plan, until `known` (epoch ms), and where a bar stands and none said anything. `isWrong` says
 * that the light is known to be wrong now, so that the last stretch is told however short it is.
 */
export function seenOf(
  segments: readonly Segment[],
  bars: readonly NightBar[],
  verified: readonly Verified[],
  { known, isWrong }: { known: number; isWrong: boolean },
): Seen[] {
  const told = merged(
    verified.flatMap((reading) => {
      if (reading.state === "unknown") return bars.flatMap((bar) => shared(reading, bar, "unknown"));
      return segments.flatMap((segment) => compared(reading, segment));
    }),
  );
  const isTold = ({ from, to }: Seen) => to - from >= GRACE_MS || (isWrong && to === known);
  return merged(
    told.flatMap((seen): Seen[] => {
      if (seen.as === "failed" || seen.as === "unknown") return isTold(seen) ? [seen] : [];
      return [seen.as === "unasked" && !isTold(seen) ? { ...seen, as: "lit" } : seen];
    }),
  );
}

function compared(reading: Verified, segment: Segment): Seen[] {
  const isWanted = segment.state === "on" && segment.reason !== "external";
  if (reading.state === "on") return shared(reading, segment, isWanted ? "lit" : "unasked");
  return isWanted ? shared(reading, segment, "failed") : [];
}

type Stretch = { from: number; to: number };

function shared(a: Stretch, b: Stretch, as: Seen["as"]): Seen[] {
  const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
  return from < to ? [{ from, to, as }] : [];
}

/** In order, and as one what touches or overlaps, as skipped bars may. */
function merged(all: readonly Seen[]): Seen[] {
  const rows: Seen[] = [];
  for (const seen of all.toSorted((a, b) => a.from - b.from)) {
    const last = rows.at(-1);
    if (last?.as === seen.as && last.to >= seen.from)
      rows[rows.length - 1] = { ...last, to: Math.max(last.to, seen.to) };
    else rows.push(seen);
  }
  return rows;
}

/** A closure is one as long as its reason stays, also where its end is moved. */
function keyOf({ state, reason, sentence, schedule_ids }: Segment): string {
  const ground = reason === "closure" ? sentence.split(": ").slice(2) : [];
  return [state, reason, ...schedule_ids, ...ground].join(" ");
}

function whyOf({ state, reason, schedule_ids }: Segment, schedules: ReadonlyMap<string, NightSchedule>): Why | null {
  if (state === "off") {
    if (reason === "closure") return "closed";
    if (reason === "hold_off") return "held";
    return schedule_ids.length > 0 ? "cut" : null;
  }
  if (reason === "emergency") return "emergency";
  if (reason === "external") return "unasked";
  if (reason === "hold_on" || reason === "manual_on") return "hand";
  return schedule_ids.some((id) => schedules.get(id)?.by_sun) ? "sun" : "booked";
}

function isOfPerson(why: Why): boolean {
  return why === "hand" || why === "held" || why === "emergency";
}

/** Whether a segment is of the hold that is in force, or comes back to it after what a limit or an emergency keeps for a while. */
function isOfHold({ from, to }: Segment, why: Why, { action, until, emergency }: Hold, now: number): boolean {
  const of_hold = emergency ? "emergency" : action === "on" ? "hand" : "held";
  return why === of_hold && now < to && from < Date.parse(until);
}

/** A closure or a person's OFF: what is booked while it lasts is no part of it, nor made it who booked that. */
function isOfItself(why: Why): boolean {
  return why === "closed" || why === "held";
}

/** A closure or a hold stays one bar, whatever is booked while it lasts. */
function isOne(last: NightBar, bar: NightBar): boolean {
  return isOfItself(bar.why) && last.why === bar.why && last.to === bar.from && last.sentence === bar.sentence;
}

function textOf(
  { sentence, schedule_ids }: Segment,
  why: Why,
  schedules: ReadonlyMap<string, NightSchedule>,
  hold: Hold | null,
): string {
  if (why === "unasked") return "Nobody asked for it";
  if (isOfPerson(why)) return hold?.reason ?? BY_HAND[why] ?? "By hand";
  const rest = sentence.slice(sentence.indexOf(": ") + 2);
  if (why === "closed") return rest.replace(/^closed/, "Closed");
  const titles = schedule_ids.flatMap((id) => schedules.get(id)?.title ?? []);
  return titles.length > 0 ? [...new Set(titles)].join(", ") : rest;
}

const BY_HAND: Partial<Record<Why, string>> = {
  hand: "Switched on by hand",
  held: "Switched off by hand",
  emergency: "Emergency",
};

function groupOf([id = "", ...others]: readonly string[], schedules: ReadonlyMap<string, NightSchedule>) {
  return others.length === 0 ? (schedules.get(id)?.group ?? null) : null;
}

function whoOf(ids: readonly string[], schedules: ReadonlyMap<string, NightSchedule>): string | null {
  const people = new Set(ids.flatMap((id) => schedules.get(id)?.who ?? []));
  return people.size === 0 ? null : [...people].map(personOf).join(", ");
}
