import type { WeekLimit, WeekWindow } from "#app/week/week";
import type { Segment } from "#domain/forecast-segments";
import { occurrences } from "#domain/recurrence";
import type { Dated, Occurrence, Recurring } from "#domain/schedule";

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
 * What limits, closures and presses take from a window, by what is foreseen of the place's lights. `lights` is how many of
 * them it is for; `isWhole` says that each of those was looked at.
 */
export function cutsOf(
  { schedule_id, start, end }: Pick<WeekWindow, "schedule_id"> & Pick<Occurrence, "start" | "end">,
  ahead: ReadonlyMap<string, readonly Segment[]>,
  { lights, isWhole }: { lights: number; isWhole: boolean },
): Pick<WeekWindow, "dark" | "limits"> {
  const limits = new Map<string, { limit: WeekLimit; lights: Set<string> }>();
  const edges: { at: number; by: 1 | -1 }[] = [];
  const looked = new Set<string>();
  for (const [device_id, segments] of ahead) {
    for (const segment of segments) {
      const [from, to] = [Math.max(segment.from, start), Math.min(segment.to, end)];
      if (to - from < LEAST_MS || !segment.schedule_ids.includes(schedule_id)) continue;
      looked.add(device_id);
      if (segment.state === "on") continue;
      edges.push({ at: from, by: 1 }, { at: to, by: -1 });
      const words = segment.sentence.replace(/^Off( until [^:]+)?: /, "");
      const known = limits.get(words) ?? { limit: { from, to, words, lights: 0 }, lights: new Set() };
      known.limit.from = Math.min(known.limit.from, from);
      known.limit.to = Math.max(known.limit.to, to);
      limits.set(words, { ...known, lights: known.lights.add(device_id) });
    }
  }
  const all = isWhole ? lights : looked.size;
  return {
    dark: darkOf(edges, all),
    limits: [...limits.values()].map(({ limit, lights: some }) => ({ ...limit, lights: some.size })),
  };
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
