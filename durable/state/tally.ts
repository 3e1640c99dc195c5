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

export function newTally(ticked_at: number): Tally {
  return { ticked_at, timers: 0, late_ms: 0, commands: 0, calls: 0, settled: 0, delivered: 0, failed: new Map() };
}

/** Counts an answer of the hardware, which may be a failure. */
export function countSettled({ tally }: { tally: Tally }, hub: string, isOk: boolean): void {
  tally.settled += 1;
  if (!isOk) tally.failed.set(hub, (tally.failed.get(hub) ?? 0) + 1);
}
