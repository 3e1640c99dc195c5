import type { SwitchAction } from "#domain/enums";
import type { LampOnSite, Now } from "./lamp-on-site";
import type { PlannedLamp, StandingPlan } from "./standing-plan";
import { offAfterMin, plannedUntil } from "./wanted";

/** How often an idle lamp is read, to notice that somebody has switched it by hand. */
const READ_EVERY_MS = 300_000;
/** An ask that is not answered blocks its lamp and its hub for no longer than this. */
const ANSWERED_WITHIN_MS = 60_000;

/**
 * What the program has to ask a hub. An ON must not leave after `not_after` (epoch ms); after `off_after_min` minutes the
 * lamp's own timer is to put it out.
 */
export type Ask =
  | { do: "switch"; lamp: PlannedLamp; action: SwitchAction; off_after_min: number | null; not_after: number | null }
  | { do: "read"; lamp: PlannedLamp };

type Candidate = { ask: Ask; rank: number; due: number };

/** The next ask of each hub that has none under way: first what must be dark, then what is to be lit, then mere readings. */
export function nextAsks(lamps: Record<string, LampOnSite>, plan: StandingPlan, now: Now): Ask[] {
  const busy = new Set<string>();
  const best = new Map<string, Candidate>();
  for (const planned of plan.lamps) {
    const lamp = lamps[planned.device];
    if (!lamp) continue;
    if (lamp.asked && now.mono - lamp.asked.since < ANSWERED_WITHIN_MS) busy.add(planned.hub);
    const next = candidateOf(lamp, planned, plan.expires, now);
    const before = best.get(planned.hub);
    if (next && (!before || comesFirst(next, before))) best.set(planned.hub, next);
  }
  return [...best].flatMap(([hub, { ask }]) => (busy.has(hub) ? [] : ask));
}

function comesFirst(a: Candidate, b: Candidate): boolean {
  return a.rank === b.rank ? a.due < b.due : a.rank < b.rank;
}

function candidateOf(lamp: LampOnSite, planned: PlannedLamp, expires: number, now: Now): Candidate | null {
  const { pursuit, read_at } = lamp;
  if (pursuit === null || (pursuit.action === "on" && !now.isTrusted)) {
    const due = read_at === null ? 0 : read_at + READ_EVERY_MS;
    return due > now.mono && read_at !== null ? null : { ask: { do: "read", lamp: planned }, rank: 2, due };
  }
  const { action, step, due } = pursuit;
  if (due > now.mono) return null;
  const rank = action === "off" ? 0 : 1;
  if (step !== "send") return { ask: { do: "read", lamp: planned }, rank, due };
  const end = action === "on" ? plannedUntil(planned, expires, now.at) : null;
  const hasTimer = action === "on" && planned.has_off_timer;
  const off_after_min = hasTimer ? offAfterMin(end, planned.max_on_ms, now.at) : null;
  return { ask: { do: "switch", lamp: planned, action, off_after_min, not_after: end }, rank, due };
}
