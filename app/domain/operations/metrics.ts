/** A row of the platform's Analytics Engine: what it is sampled by, text columns and number columns, each from 1. */
export type DataPoint = { indexes: [string]; blobs: string[]; doubles: number[] };

/** What a scheduler has done since its last tick, for its log line and its data point. */
export type TickCounts = {
  /** Timers taken, and how late the earliest of them was (ms). */
  timers: number;
  late_ms: number;
  /** Commands made, calls to the hardware, answers settled, and those of them that failed. */
  commands: number;
  calls: number;
  settled: number;
  failed: number;
  /** Records that have reached the database. */
  delivered: number;
  /** Answers that wait to be settled. */
  waiting: number;
};

/** blob1 'tick', blob2 the organization's hash; the doubles in the order of TickCounts. OPERATING.md holds the queries. */
export function tickPoint(org: string, counts: TickCounts): DataPoint {
  const { timers, late_ms, commands, calls, settled, failed, delivered, waiting } = counts;
  const doubles = [timers, late_ms, commands, calls, settled, failed, delivered, waiting];
  return { indexes: [org], blobs: ["tick", org], doubles };
}

/** blob1 'failed_calls', blob2 the organization's hash, blob3 the hub's id, or the mode without a hub; double1 how often. */
export function failedCallsPoint(org: string, hub: string, failed: number): DataPoint {
  return { indexes: [org], blobs: ["failed_calls", org, hub], doubles: [failed] };
}

/** blob1 'request', blob2 the group of addresses, blob3 the method, blob4 '2xx'; double1 the time that it took (ms). */
export function requestPoint(group: string, method: string, status: number, ms: number): DataPoint {
  return { indexes: [group], blobs: ["request", group, method, `${Math.floor(status / 100)}xx`], doubles: [ms] };
}
