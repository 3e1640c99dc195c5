import type { DeviceState, StateKind } from "#domain/enums";
import type { Night } from "./night-schema";
import { MINUTE_MS } from "#domain/time/units";
import { toIso } from "#domain/time/to-iso";

/** A change in the log of states; `at` is ISO 8601. */
export type StateChange = {
  kind: StateKind;
  at: string;
  state: DeviceState;
  reason: Night["planned"][number]["reason"] | null;
  sentence: string | null;
  schedule_ids: string[] | null;
  /** Until when the windows run that do not light it (ISO 8601). */
  booked_until: string | null;
};

type Planned = Night["planned"][number];
type Verified = Night["verified"][number];

/**
 * What was wanted of one light between two instants (epoch ms), as it was wanted then, what readings said, and how the two
 * compare. `changes` are in order, with the last of each kind before `from`.
 */
export function nightOf(
  changes: readonly StateChange[],
  from: number,
  to: number,
): Omit<Night, "device_id" | "device_name"> {
  const planned = spans(changes, "desired", from, to).flatMap(({ change, ...span }) => plannedOf(change, span));
  const verified = spans(changes, "reported", from, to).map(({ change, ...span }): Verified => {
    return { ...span, state: change?.state ?? "unknown" };
  });
  return { planned, verified, minutes: minutesOf(planned, verified) };
}

type Span = { from: string; to: string };

/** Without gaps: what held before the first change is what its kind begins with. */
function spans(
  changes: readonly StateChange[],
  kind: StateKind,
  from: number,
  to: number,
): (Span & { change: StateChange | null })[] {
  const marks: { at: number; change: StateChange | null }[] = [{ at: from, change: null }];
  for (const change of changes) {
    if (change.kind !== kind) continue;
    const at = Math.max(from, Date.parse(change.at));
    if (marks.at(-1)?.at === at) marks.pop();
    if (at < to) marks.push({ at, change });
  }
  return marks.flatMap(({ at, change }, n) => {
    const end = marks[n + 1]?.at ?? to;
    return end > at ? { from: toIso(at), to: toIso(end), change } : [];
  });
}

/** Nothing is logged of a light before it was first wanted on, nor where a window ends that did not light it. */
function plannedOf(change: StateChange | null, { from, to }: Span): Planned[] {
  const wanted = {
    state: change?.state === "on" ? ("on" as const) : ("off" as const),
    reason: change?.reason ?? "idle",
    sentence: change?.sentence ?? "Off: nothing is scheduled",
  };
  const schedule_ids = change?.schedule_ids ?? [];
  const until = change?.booked_until ?? null;
  if (until === null || until >= to) return [{ from, to, ...wanted, schedule_ids }];
  const after = { from: until > from ? until : from, to, ...wanted, schedule_ids: [] };
  return until > from ? [{ from, to: until, ...wanted, schedule_ids }, after] : [after];
}

/** Where nobody knows the state, nothing is counted. */
function minutesOf(planned: Planned[], verified: Verified[]): Night["minutes"] {
  const sums = { lit: 0, lit_unwanted: 0, dark_booked: 0, dark_failed: 0 };
  for (const seen of verified) {
    for (const wanted of planned) {
      const ms = overlap(seen, wanted);
      if (ms <= 0 || seen.state === "unknown") continue;
      if (seen.state === "on") {
        sums.lit += ms;
        if (wanted.state === "off") sums.lit_unwanted += ms;
        continue;
      }
      if (wanted.schedule_ids.length > 0) sums.dark_booked += ms;
      if (wanted.state === "on") sums.dark_failed += ms;
    }
  }
  const { lit, lit_unwanted, dark_booked, dark_failed } = sums;
  return {
    lit: toMinutes(lit),
    lit_unwanted: toMinutes(lit_unwanted),
    dark_booked: toMinutes(dark_booked),
    dark_failed: toMinutes(dark_failed),
  };
}

function overlap(a: Span, b: Span): number {
  return Math.min(Date.parse(a.to), Date.parse(b.to)) - Math.max(Date.parse(a.from), Date.parse(b.from));
}

function toMinutes(ms: number): number {
  return Math.round(ms / MINUTE_MS);
}
