import { load } from "../../worker/local/typescript.mjs";

const RUNS = 200;
const COUNT = 100;
const DAY_MS = 86_400_000;

/** A hundred occurrences of a daily schedule that was never asked for before, beside a loop that only adds days. */
export async function measure() {
  const { occurrences } = await load("app/domain/recurrence.ts");
  const first = Date.parse("2026-06-01T18:00:00.000Z");
  const us = (work) => {
    const began = performance.now();
    for (let run = 0; run < RUNS; run += 1) work(run);
    return ((performance.now() - began) * 1_000) / RUNS;
  };
  const expand = (run) => {
    const at = first + run * 60_000; // another schedule each time: nothing is remembered
    const schedule = {
      start_at: new Date(at).toISOString(),
      end_at: new Date(at + 3_600_000).toISOString(),
      rrule: "FREQ=DAILY",
      timezone: "America/Los_Angeles",
    };
    return occurrences(schedule, at, at + COUNT * DAY_MS);
  };
  const add = (run) => {
    const starts = [];
    for (let n = 0; n < COUNT; n += 1) starts.push(first + run * 60_000 + n * DAY_MS);
    return starts;
  };
  us(expand); // warm code, cold schedules
  const value = us((run) => expand(run + RUNS));
  return [{ work: "100 occurrences, cold", unit: "us", value, floor: us(add), aim: "10 us" }];
}
