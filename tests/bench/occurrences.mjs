import { load } from "../../worker/local/typescript.mjs";

const RUNS = 200;
/** A batch takes milliseconds, and the compiler or another process may take as many in its midst: the median tells. */
const BATCHES = 25;
const COUNT = 100;
const DAY_MS = 86_400_000;

/**
 * A hundred occurrences of a daily schedule that was never asked for before, beside a loop that only adds days: by the
 * clock, from dusk to dawn at a place that was asked for before, and at one that never was.
 */
export async function measure() {
  const { occurrences } = await load("app/domain/schedule/recurrence.ts");
  const first = Date.parse("2026-06-01T18:00:00.000Z");
  const us = (made, work) => {
    const batches = [];
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const schedules = Array.from({ length: RUNS }, (_, run) => made(batch * RUNS + run)); // before the clock begins
      const began = performance.now();
      for (const schedule of schedules) work(schedule);
      batches.push(((performance.now() - began) * 1_000) / RUNS);
    }
    return batches.toSorted((a, b) => a - b)[Math.floor(BATCHES / 2)];
  };
  /** Another one for each run: nothing is remembered of it. */
  const daily = (run, over = {}) => {
    const at = first + run * 60_000;
    return {
      start_at: new Date(at).toISOString(),
      end_at: new Date(at + 3_600_000).toISOString(),
      rrule: "FREQ=DAILY",
      timezone: "America/Los_Angeles",
      at,
      ...over,
    };
  };
  const expand = (schedule) => occurrences(schedule, schedule.at, schedule.at + COUNT * DAY_MS);
  const time = (event) => ({ event, offset_min: 0, not_before: null, not_after: null });
  const bySun = (run, lat) =>
    daily(run, {
      start_at: "2026-06-02T03:30:00.000Z",
      end_at: "2026-06-02T12:10:00.000Z",
      start_sun: time("dusk"),
      end_sun: time("dawn"),
      positions: [{ lat, lon: -118.2437, since: "2020-01-01T00:00:00.000Z" }],
    });
  const add = ({ at }) => {
    const starts = [];
    for (let n = 0; n < COUNT; n += 1) starts.push(at + n * DAY_MS);
    return starts;
  };
  // Warm code, cold schedules.
  us(daily, expand);
  us((run) => bySun(run, 34.0522), expand);
  us(daily, add);
  const floor = us(daily, add);
  const peer = await measurePeer();
  const row = (work, value, aim, more = {}) => ({ work, unit: "us", value, floor, aim, ...more });
  return [
    row("100 occurrences, cold", us(daily, expand), "10 us", { peer }),
    row(
      "100 from dusk to dawn, a known place",
      us((run) => bySun(run, 34.0522), expand),
      "100 us",
    ),
    row(
      "100 from dusk to dawn, a new place",
      us((run) => bySun(run, 30 + run / 1_000), expand),
      "1,500 us",
    ),
  ];
}

/** Left out, and said so, where the peers are not installed or have no build for this machine. */
async function measurePeer() {
  try {
    const { measureRruleRust } = await import("./peers/rrule-rust.mjs");
    return { name: "rrule-rust", value: measureRruleRust({ runs: RUNS, count: COUNT }) };
  } catch (error) {
    const isMissing = error.code === "ERR_MODULE_NOT_FOUND";
    console.error(`rrule-rust is left out: ${isMissing ? "npm ci --prefix tests/bench/peers" : error.message}`);
  }
}
