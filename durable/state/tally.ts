import type { Store } from "./kept";

/** What has been done since the last tick was told; it lives in memory and costs no statement. */
export type Tally = {
  /** When the last tick began (epoch ms). After a start: when the process before this one last changed anything. */
  ticked_at: number;
  timers: number;
  late_ms: number;
  commands: number;
  calls: number;
  settled: number;
  delivered: number;
  /** Calls that failed, by their hub: its id, or of a lamp without one the mode. */
  failed: Map<string, number>;
};

/** Nothing counted yet; `ticked_at` as in `Tally`. */
export function newTally(ticked_at: number): Tally {
  return { ticked_at, timers: 0, late_ms: 0, commands: 0, calls: 0, settled: 0, delivered: 0, failed: new Map() };
}

/** Counts one more; what a part of a transaction counted that is undone does not count. */
export function count({ tally, sql }: Counting, what: "commands" | "settled"): void {
  tally[what] += 1;
  sql.kept?.noteUndo(() => void (tally[what] -= 1));
}

/** Counts an answer of the hardware, which may be a failure. */
export function countSettled(context: Counting, hub: string, isOk: boolean): void {
  count(context, "settled");
  if (isOk) return;
  const { failed } = context.tally;
  const before = failed.get(hub) ?? 0;
  failed.set(hub, before + 1);
  context.sql.kept?.noteUndo(() => void (before === 0 ? failed.delete(hub) : failed.set(hub, before)));
}

type Counting = { tally: Tally; sql: Store };
