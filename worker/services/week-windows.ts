import type { WeekLimit, WeekWindow } from "#app/week/week";
import type { Segment } from "#domain/forecast/forecast-segments";
import { occurrences } from "#domain/schedule/recurrence";
import type { Dated, Occurrence, Recurring } from "#domain/schedule/schedule";

type Plan = Recurring & { id: string };

/** A lamp takes its time to switch; what is shorter than this is not told as dark. */
const LEAST_MS = 60_000;

/** The windows of a schedule between two instants (epoch ms), those that are left out among them. */
export function windowsOf(plan: Plan, from: number, to: number): WeekWindow[] {
  const happening = new Set(occurrences(plan, from, to).map(({ date }) => date));
  return occurrences({ ...plan, skips: null, calendar: null }, from, to).flatMap(({ start, end, date }) => {
    const skipped = happening.has(date) ? null : skippedBy(plan, date);
    return skipped === "never" ? [] : [{ schedule_id: plan.id, date, start, end, skipped, dark: [], limits: [] }];
  });
}

/** By whom a date is left out. A calendar whose dates alone count leaves out nothing: it never was one of them. */
function skippedBy({ skips, calendar }: Plan, date: string): NonNullable<WeekWindow["skipped"]> | "never" {
  const skip = skips?.find((each) => each.date === date);
  if (skip) return { by: "person", reason: textIn(skip, "reason") };
  const day = calendar?.rule === "skip" ? calendar.dates.find((each) => each.date === date) : undefined;
  return day ? { by: "calendar", reason: textIn(day, "name") } : "never";
}

function textIn(dated: Dated, key: "reason" | "name"): string | null {
  const text: unknown = Object.entries(dated).find(([name]) => name === key)?.[1];
  return typeof text === "string" && text !== "" ? text : null;
}

/**
 * What limits, closures and toggles take from a window, by what is foreseen of the place's lights. `lights` is how many of
 * them it is for; `isWhole` says that each of those was looked at.
 */
export function cutsOf(
  { schedule_id, start, end }: Pick<WeekWindow, "schedule_id"> & Pick<Occurrence, "start" | "end">,
  ahead: ReadonlyMap<string, readonly Segment[]>,
  { lights, isWhole }: { lights: number; isWhole: boolean },
): Pick<WeekWindow, "dark" | "limits"> {
  const limits = new Map<string, WeekLimit>();
  const edges: { at: number; by: 1 | -1 }[] = [];
  let looked = 0;
  for (const segments of ahead.values()) {
    const own = segments.flatMap(({ from, to, schedule_ids, ...segment }) => {
      const part = { ...segment, from: Math.max(from, start), to: Math.min(to, end) };
      return part.to - part.from >= LEAST_MS && schedule_ids.includes(schedule_id) ? [part] : [];
    });
    if (own.length > 0) looked += 1;
    for (const { from, to, words } of stretchesOf(own)) {
      edges.push({ at: from, by: 1 }, { at: to, by: -1 });
      const key = `${words} ${from} ${to}`;
      limits.set(key, { from, to, words, lights: (limits.get(key)?.lights ?? 0) + 1 });
    }
  }
  return {
    dark: darkOf(edges, isWhole ? lights : looked),
    limits: [...limits.values()].toSorted((a, b) => a.from - b.from || b.lights - a.lights),
  };
}

/** In which stretches one light is dark, and why; neighbours for one reason are one. */
function stretchesOf(segments: Pick<Segment, "from" | "to" | "state" | "sentence">[]): Omit<WeekLimit, "lights">[] {
  const rows: Omit<WeekLimit, "lights">[] = [];
  for (const { from, to, state, sentence } of segments) {
    if (state === "on") continue;
    const words = sentence.replace(/^Off( until [^:]+:\d\d [AP]M)?: /, "");
    const last = rows.at(-1);
    if (last && last.to === from && last.words === words) last.to = to;
    else rows.push({ from, to, words });
  }
  return rows;
}

/** The stretches in which so many lights are dark at once. */
function darkOf(edges: { at: number; by: 1 | -1 }[], all: number): { from: number; to: number }[] {
  const dark: { from: number; to: number }[] = [];
  let count = 0;
  for (const { at, by } of edges.toSorted((a, b) => a.at - b.at || a.by - b.by)) {
    const was = count;
    count += by;
    const last = dark.at(-1);
    if (count >= all && was < all) {
      if (last?.to === at) last.to = Infinity;
      else dark.push({ from: at, to: Infinity });
    } else if (was >= all && count < all && last) last.to = at;
  }
  return dark;
}
