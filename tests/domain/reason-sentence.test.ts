import { expect, test } from "vitest";
import type { Reason } from "#domain/resolve/reason";
import { reasonSentence, refusalSentence } from "#domain/resolve/reason-sentence";

const LA = "America/Los_Angeles";
const until = Date.parse("2026-07-02T04:00:00Z");
const now = Date.parse("2026-07-02T01:00:00Z");
const say = (reason: Reason, state: "on" | "off" | "none" = "off") => reasonSentence(state, reason, LA, now);
const claim = (title: string) => ({
  schedule_id: title,
  title,
  start: until - 3_600_000,
  end: until,
  date: "2026-07-01",
  begins_at: 0,
});

const closure = (end: number | null) => ({ kind: "closure" as const, id: "c", reason: "wet ground", until: end });

test("an event's note says why the engine wants a light on or off", () => {
  expect(say({ kind: "claim", claims: [claim("Little League practice")], until }, "on")).toBe(
    "On until 9:00 PM: Little League practice",
  );
  expect(say({ kind: "claim", claims: [claim("Finals"), claim("Finals"), claim("Club")], until }, "on")).toBe(
    "On until 9:00 PM: Finals, Club",
  );
  expect(say({ kind: "curfew", until })).toBe("Off: curfew until 9:00 PM");
  expect(say({ kind: "blackout", until }, "none")).toBe("Off: blackout until 9:00 PM");
  expect(say({ kind: "max_on", max_on_min: 240 })).toBe("Off: 240 minutes reached");
  expect(say({ kind: "max_on", max_on_min: 1 })).toBe("Off: 1 minute reached");
  expect(say({ kind: "pending_off" })).toBe("Off: no schedule is running");
  expect(say({ kind: "idle" }, "none")).toBe("Off: nothing is scheduled");
  expect(say({ kind: "manual_on", until }, "on")).toBe("On until 9:00 PM: switched on by a person");
  expect(say({ kind: "hold_on", until }, "on")).toBe("On until 9:00 PM: switched on by a person");
  expect(say({ kind: "hold_off", until })).toBe("Off until 9:00 PM: switched off by a person");
  expect(say({ kind: "emergency", until }, "on")).toBe("On until 9:00 PM: emergency");
  expect(say(closure(until))).toBe("Off: closed until Jul 1, 9:00 PM: wet ground");
  expect(say(closure(null))).toBe("Off: closed: wet ground");
  expect(say({ kind: "external", until }, "none")).toBe("Switched on at the lamp; off at 9:00 PM at the latest");
});

test("a refused ON names the rule that refuses it, and until when", () => {
  expect(refusalSentence({ kind: "blackout", until }, LA, now)).toBe(
    "Lights may not go on during the blackout, until 9:00 PM",
  );
  expect(refusalSentence(closure(until), LA, now)).toBe(
    "Lights may not go on, closed until Jul 1, 9:00 PM: wet ground",
  );
  expect(refusalSentence(closure(null), LA, now)).toBe("Lights may not go on, closed: wet ground");
});

test("a curfew or a blackout of the whole day has no end in words", () => {
  const endless = { kind: "curfew" as const, until: now + 5 * 24 * 3_600_000 };
  expect(say(endless)).toBe("Off: curfew at all hours");
  expect(refusalSentence(endless, LA, now)).toBe("Lights may not go on: curfew at all hours");
});

test("a curfew that a permit lifts in some days is said to end on that day", () => {
  const lifted = { kind: "curfew" as const, until: now + 3 * 24 * 3_600_000 };
  expect(say(lifted)).toMatch(/^Off: curfew until [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M$/);
  expect(refusalSentence(lifted, LA, now)).toMatch(
    /^Lights may not go on during the curfew, until [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M$/,
  );
});

test("a closure that ends more than a year ahead says in which year", () => {
  const spring = Date.parse("2028-04-01T07:00:00Z");
  expect(refusalSentence(closure(spring), LA, now)).toBe(
    "Lights may not go on, closed until Apr 1, 2028, 12:00 AM: wet ground",
  );
  expect(say(closure(spring))).toBe("Off: closed until Apr 1, 2028, 12:00 AM: wet ground");
});
