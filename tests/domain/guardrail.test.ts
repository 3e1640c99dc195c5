import fc from "fast-check";
import { expect, test } from "vitest";
import {
  guardrailAt,
  isEndless,
  nextGuardrailStart,
  parseBlackout,
  restrictedWindows,
} from "#domain/guardrails/guardrail";
import { parseClock } from "#domain/time/parse-clock";
import { at, guardrails } from "./a-light";

const MINUTE = 60_000;
const defaults = guardrails({ HARD_CURFEW_OFF: "23:45", BLACKOUT_WINDOW: "00:00-05:00" });

test("reads a clock time as minutes after midnight, or null", () => {
  expect(parseClock("00:00")).toBe(0);
  expect(parseClock("23:45")).toBe(1425);
  for (const bad of ["", "24:00", "23:60", "9:00", "23:45 ", "2345", "123:45"]) expect(parseClock(bad)).toBeNull();
});

test("reads a blackout as two different clock times, or null", () => {
  expect(parseBlackout("22:00-05:30")).toEqual({ start: 1320, end: 330 });
  for (const bad of [
    "",
    "05:00",
    "05:00-05:00",
    "00:00-24:00",
    "24:00-05:00",
    "00:00-05:00-06:00",
    "-05:00",
    "00:00 05:00",
    "00:00-",
  ]) {
    expect(parseBlackout(bad)).toBeNull();
  }
});

test("without rules nothing is ever restricted", () => {
  const none = guardrails();
  expect(guardrailAt(none, at("2026-07-01 23:50"))).toBeNull();
  expect(nextGuardrailStart(none, at("2026-07-01 23:50"))).toBeNull();
  expect(restrictedWindows(none, at("2026-07-01 00:00"), at("2026-07-09 00:00"))).toEqual([]);
});

test("between the curfew at 23:45 and the blackout at 00:00 the curfew restricts, until the blackout ends", () => {
  const until = at("2026-07-02 05:00");
  expect(guardrailAt(defaults, at("2026-07-01 23:45") - 1)).toBeNull();
  expect(guardrailAt(defaults, at("2026-07-01 23:45"))).toEqual({ kind: "curfew", until });
  expect(guardrailAt(defaults, at("2026-07-01 23:50"))).toEqual({ kind: "curfew", until });
  expect(guardrailAt(defaults, at("2026-07-02 00:00"))).toEqual({ kind: "blackout", until });
  expect(guardrailAt(defaults, until - 1)).toEqual({ kind: "blackout", until });
  expect(guardrailAt(defaults, until)).toBeNull();
});

test("the next restricted time begins at the curfew, not at the blackout within it", () => {
  expect(nextGuardrailStart(defaults, at("2026-07-01 18:00"))).toBe(at("2026-07-01 23:45"));
  expect(nextGuardrailStart(defaults, at("2026-07-01 23:45"))).toBe(at("2026-07-02 23:45"));
  expect(nextGuardrailStart(defaults, at("2026-07-02 00:00") - 1)).toBe(at("2026-07-02 23:45"));
});

test("a curfew alone lasts six hours", () => {
  const rules = guardrails({ HARD_CURFEW_OFF: "22:00" });
  expect(guardrailAt(rules, at("2026-07-01 22:00"))).toEqual({ kind: "curfew", until: at("2026-07-02 04:00") });
});

test("a curfew during a blackout ends with it", () => {
  const rules = guardrails({ HARD_CURFEW_OFF: "01:00", BLACKOUT_WINDOW: "22:00-05:00" });
  expect(restrictedWindows(rules, at("2026-07-02 01:00"), at("2026-07-02 05:00"))).toEqual([
    { kind: "blackout", start: at("2026-07-01 22:00"), end: at("2026-07-02 05:00") },
    { kind: "curfew", start: at("2026-07-02 01:00"), end: at("2026-07-02 05:00") },
  ]);
});

test("a curfew joins a blackout that opens within twelve hours, and no later one", () => {
  const within = guardrails({ HARD_CURFEW_OFF: "12:00", BLACKOUT_WINDOW: "00:00-05:00" });
  expect(guardrailAt(within, at("2026-07-01 12:00"))?.until).toBe(at("2026-07-02 05:00"));
  const later = guardrails({ HARD_CURFEW_OFF: "11:59", BLACKOUT_WINDOW: "00:00-05:00" });
  expect(guardrailAt(later, at("2026-07-01 11:59"))?.until).toBe(at("2026-07-01 17:59"));
});

test("a curfew at the very end of a blackout goes on for six hours, at its very start with it", () => {
  const after = guardrails({ HARD_CURFEW_OFF: "05:00", BLACKOUT_WINDOW: "00:00-05:00" });
  expect(guardrailAt(after, at("2026-07-02 01:00"))).toEqual({ kind: "blackout", until: at("2026-07-02 11:00") });
  expect(nextGuardrailStart(after, at("2026-07-01 18:00"))).toBe(at("2026-07-02 00:00"));
  const same = guardrails({ HARD_CURFEW_OFF: "00:00", BLACKOUT_WINDOW: "00:00-05:00" });
  expect(guardrailAt(same, at("2026-07-02 00:00"))).toEqual({ kind: "blackout", until: at("2026-07-02 05:00") });
});

test("rules that restrict the whole day never begin and end days ahead", () => {
  const endless = guardrails({ HARD_CURFEW_OFF: "23:59", BLACKOUT_WINDOW: "00:00-23:59" });
  const now = at("2026-07-01 12:00");
  expect(nextGuardrailStart(endless, now)).toBeNull();
  expect(guardrailAt(endless, now)?.until).toBeGreaterThan(now + 3 * 24 * 60 * MINUTE);
});

test("an occurrence is cut by the windows that touch it, the first one first", () => {
  expect(restrictedWindows(defaults, at("2026-07-01 18:00"), at("2026-07-01 23:45"))).toEqual([]);
  expect(restrictedWindows(defaults, at("2026-07-01 18:00"), at("2026-07-02 01:00"))).toEqual([
    { kind: "curfew", start: at("2026-07-01 23:45"), end: at("2026-07-02 05:00") },
    { kind: "blackout", start: at("2026-07-02 00:00"), end: at("2026-07-02 05:00") },
  ]);
});

test("the curfew is local time on a night of 23 hours and on one of 25", () => {
  const spring = guardrailAt(defaults, Date.parse("2026-03-07T23:45:00-08:00"));
  expect(spring).toEqual({ kind: "curfew", until: Date.parse("2026-03-08T05:00:00-07:00") });
  const autumn = guardrailAt(defaults, Date.parse("2026-10-31T23:45:00-07:00"));
  expect(autumn).toEqual({ kind: "curfew", until: Date.parse("2026-11-01T05:00:00-08:00") });
  expect(nextGuardrailStart(defaults, Date.parse("2026-11-01T12:00:00-08:00"))).toBe(
    Date.parse("2026-11-01T23:45:00-08:00"),
  );
});

test("a window begins at the first and ends at the last of a time that occurs twice", () => {
  const ends = guardrails({ BLACKOUT_WINDOW: "00:00-01:30" });
  expect(guardrailAt(ends, Date.parse("2026-11-01T00:30:00-07:00"))?.until).toBe(
    Date.parse("2026-11-01T01:30:00-08:00"),
  );
  const begins = guardrails({ BLACKOUT_WINDOW: "01:30-04:00" });
  expect(nextGuardrailStart(begins, Date.parse("2026-11-01T00:00:00-07:00"))).toBe(
    Date.parse("2026-11-01T01:30:00-07:00"),
  );
});

test("a curfew that begins where the blackout ends is a curfew from then on", () => {
  const rules = guardrails({ HARD_CURFEW_OFF: "05:00", BLACKOUT_WINDOW: "00:00-05:00" });
  expect(guardrailAt(rules, at("2026-07-01 04:59"))).toEqual({ kind: "blackout", until: at("2026-07-01 11:00") });
  expect(guardrailAt(rules, at("2026-07-01 05:00"))).toEqual({ kind: "curfew", until: at("2026-07-01 11:00") });
});

test("a window keeps its length when the gap moves its start to its end", () => {
  const rules = guardrails({ BLACKOUT_WINDOW: "02:00-03:00" });
  expect(guardrailAt(rules, Date.parse("2026-03-08T03:30:00-07:00"))?.until).toBe(
    Date.parse("2026-03-08T04:00:00-07:00"),
  );
});

test("an occurrence that touches a window is not cut by it", () => {
  const rules = guardrails({ BLACKOUT_WINDOW: "00:00-05:00" });
  const [start, end] = [at("2026-07-01 05:00"), at("2026-07-02 00:00")];
  expect(restrictedWindows(rules, start, end)).toEqual([]);
  expect(restrictedWindows(rules, start - 1, end).map((window) => window.end)).toEqual([start]);
  expect(restrictedWindows(rules, start, end + 1).map((window) => window.start)).toEqual([end]);
});

test("a window in the gap of a spring night moves forward and keeps its length", () => {
  const rules = guardrails({ BLACKOUT_WINDOW: "02:30-03:15" });
  expect(guardrailAt(rules, Date.parse("2026-03-08T03:30:00-07:00"))?.until).toBe(
    Date.parse("2026-03-08T04:15:00-07:00"),
  );
});

test("windows are in the zone of the rules", () => {
  const rules = guardrails({ ...defaults, zone: "America/New_York" });
  expect(nextGuardrailStart(rules, at("2026-07-01 18:00"))).toBe(at("2026-07-01 20:45"));
});

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 45))
  .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`);
const someRules = fc
  .tuple(fc.oneof(fc.constant(""), clock), fc.oneof(fc.constant(""), fc.tuple(clock, clock)))
  .map(([curfew, ends]) =>
    guardrails({
      HARD_CURFEW_OFF: curfew,
      BLACKOUT_WINDOW: typeof ends === "string" || ends[0] === ends[1] ? "" : ends.join("-"),
    }),
  );
const someNight = fc.constantFrom("2026-07-01 12:00", "2026-03-07 12:00", "2026-10-31 12:00");

test("a restricted time ends where it says, and the next begins where it says", () => {
  fc.assert(
    fc.property(someRules, someNight, (rules, night) => {
      let now = at(night);
      for (let step = 0; step < 8; step += 1) {
        const restricted = guardrailAt(rules, now);
        const change = restricted ? restricted.until : nextGuardrailStart(rules, now);
        if (change === null) {
          expect(guardrailAt(rules, now + 24 * 60 * MINUTE)).toBeNull();
          return;
        }
        for (let probe = now; probe < change && probe < now + 48 * 60 * MINUTE; probe += 15 * MINUTE) {
          expect(guardrailAt(rules, probe) === null).toBe(restricted === null);
        }
        expect(guardrailAt(rules, change - 1) === null).toBe(restricted === null);
        now = change;
      }
    }),
  );
});

test("an ordinary night is restricted exactly while the clock is inside the blackout", () => {
  fc.assert(
    fc.property(clock, clock, fc.integer({ min: 0, max: 95 }), (from, to, quarter) => {
      fc.pre(from !== to);
      const now = at("2026-07-01 00:00") + quarter * 15 * MINUTE;
      const shows = new Date(now - 7 * 60 * MINUTE).toISOString().slice(11, 16);
      const isIn = from < to ? shows >= from && shows < to : shows >= from || shows < to;
      expect(guardrailAt(guardrails({ BLACKOUT_WINDOW: `${from}-${to}` }), now) !== null).toBe(isIn);
    }),
  );
});

test("the same rules in another zone are other windows", () => {
  const now = Date.parse("2026-07-02T07:00:00Z");
  const rules = { HARD_CURFEW_OFF: "", BLACKOUT_WINDOW: "00:00-05:00", MAX_ON_DURATION_MIN: 240 };
  const until = (zone: "America/Los_Angeles" | "America/New_York" | "UTC") =>
    guardrailAt({ ...rules, zone }, now)?.until;
  expect(until("America/Los_Angeles")).toBe(Date.parse("2026-07-02T12:00:00Z"));
  expect(until("America/New_York")).toBe(Date.parse("2026-07-02T09:00:00Z"));
  expect(until("UTC")).toBeUndefined();
});

test.each(["2026-07-01", "2026-03-07", "2026-03-04", "2026-10-30"])(
  "rules of the whole day have no end at any time of %s",
  (date) => {
    for (let hour = 0; hour < 24; hour += 1) {
      const clock = `${String(hour).padStart(2, "0")}:00`;
      const rules = guardrails({ HARD_CURFEW_OFF: clock, BLACKOUT_WINDOW: `${twelveBefore(hour)}-${clock}` });
      for (const time of ["00:00", "12:00", "23:59"]) {
        const now = at(`${date} ${time}`);
        expect(isEndless(guardrailAt(rules, now) ?? { until: now }, now), `${clock} at ${time}`).toBe(true);
      }
    }
  },
);

test("rules that leave a minute of the day have an end, also where the spring takes that minute", () => {
  const rules = guardrails({ BLACKOUT_WINDOW: "02:31-02:30" });
  for (const date of ["2026-07-01", "2026-03-07", "2026-03-08"]) {
    const now = at(`${date} 03:00`);
    expect(isEndless(guardrailAt(rules, now) ?? { until: Infinity }, now)).toBe(false);
  }
});

function twelveBefore(hour: number): string {
  return `${String((hour + 12) % 24).padStart(2, "0")}:00`;
}
