import { DateTime, DtStart, Frequency, RRule, RRuleSet } from "rrule-rust";

/** The same as ours: a daily rule that was never asked for before, its first `count` occurrences, in microseconds. */
export function measureRruleRust({ runs, count }) {
  const expand = (run) => {
    const start = DateTime.local(2026, 6, 1, run % 24, Math.floor(run / 24) % 60, 0);
    const rrules = [new RRule({ frequency: Frequency.Daily, count })];
    return new RRuleSet({ dtstart: new DtStart(start, "America/Los_Angeles"), rrules }).all();
  };
  if (expand(0).length !== count) throw new Error("rrule-rust found other occurrences");
  const began = performance.now();
  for (let run = 0; run < runs; run += 1) expand(run);
  return ((performance.now() - began) * 1_000) / runs;
}
