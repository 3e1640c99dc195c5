import { expect, test } from "vitest";
import {
  awayFacts,
  awaySentence,
  dueSentence,
  lengthOf,
  litForWords,
  shouldBe,
  sureState,
  wrongFacts,
  wrongSentence,
} from "#domain/alarms/attention-words";
import { MOST_NEXT, nextUpWords } from "#domain/records/dashboard-page";
import { darkHoursSentence } from "#domain/guardrails/limits-now";
import { madeBefore, orderSentence } from "#domain/alarms/workorder-due";

const zone = "America/Los_Angeles";
const now = Date.parse("2026-11-24T20:00:00.000Z"); // noon
const clock = { now, zone };
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();

test("a light says what it is, since when and why, and on another day which", () => {
  const light = { problem: "still on, 1 try", problem_since: ago(20 * 60), wanted: null };
  expect(wrongSentence({ ...light, current_state: "on" }, clock)).toBe(
    "On since yesterday 4:00 PM: still on after 1 try",
  );
  const held = { problem: "held back by the cloud's limit of calls since 11:50 AM", problem_since: null, wanted: null };
  expect(wrongSentence({ ...held, current_state: "off" }, clock)).toBe(
    "Dark: held back by the cloud's limit of calls since 11:50 AM",
  );
});

test("a light that has taken its command is neither dark nor lit until it is read, and is switched the same way again", () => {
  const light = { problem: "still off, 2 tries", problem_since: ago(60) };
  const wanted = { state: "on" as const, reason: "claim", sentence: "On until 7:30 PM: Match" };
  const taken = { ...light, current_state: "on" as const, wanted };
  expect([sureState(taken), shouldBe(taken)]).toEqual(["unknown", "on"]);
  expect(wrongSentence(taken, clock)).toBe("It answered; its state is being read");
  expect(wrongFacts(taken, zone)).toBe("Unknown since Nov 24, 11:00 AM: still off after 2 tries");
  const out = { ...taken, current_state: "off" as const, wanted: { ...wanted, state: "off" as const } };
  expect([sureState(out), shouldBe(out)]).toEqual(["unknown", "off"]);
});

test("a light that nobody asked for should be dark, whatever is known of it, and another the opposite of what it is", () => {
  const external = { state: "on" as const, reason: "external", sentence: "Switched on at the lamp" };
  for (const current_state of ["on", "unknown"] as const) {
    expect([sureState({ current_state, wanted: external }), shouldBe({ current_state, wanted: external })]).toEqual([
      current_state,
      "off",
    ]);
  }
  const nothing = (current_state: "on" | "off" | "unknown") => {
    const of = { current_state, wanted: null };
    return [sureState(of), shouldBe(of)];
  };
  expect(nothing("off")).toEqual(["off", "on"]);
  expect(nothing("on")).toEqual(["on", "off"]);
  expect(nothing("unknown")).toEqual(["unknown", "off"]);
});

test("what a light should be doing is told of one that should be on only", () => {
  const due = (state: "on" | "off", sentence: string | null) =>
    dueSentence({ wanted: { state, reason: "claim", sentence } });
  expect(due("on", "On until 7:30 PM: Match: the final")).toBe("Should be on until 7:30 PM");
  expect(due("off", "Off: nothing is scheduled")).toBeNull();
  expect(due("on", null)).toBeNull();
  expect(dueSentence({ wanted: null })).toBeNull();
});

test("a hub that is away says for how long, and what that means for its lights", () => {
  const lights = { lights: 3, unknown: 0, wrong: 0 };
  expect(awaySentence(ago(21), { ...lights, unknown: 1 }, clock)).toBe("Away for 21 min. 1 light unknown");
  expect(awaySentence(ago(180), { ...lights, wrong: 2 }, clock)).toBe("Away for 3 h. 2 lights not as they should be");
  expect(awaySentence(null, lights, clock)).toBe("Never answered. Its 3 lights cannot be switched");
  expect(awaySentence(ago(3 * 1440), { ...lights, lights: 0 }, clock)).toBe("Away for 3 days");
  expect(lengthOf(5_000)).toBe("less than a minute");
});

test("what a work order keeps of a light or a hub names the day", () => {
  const light = { problem: "still on, 1 try", problem_since: ago(60), wanted: null };
  expect(wrongFacts({ ...light, current_state: "on" }, zone)).toBe("On since Nov 24, 11:00 AM: still on after 1 try");
  const lights = { lights: 3, unknown: 2, wrong: 0 };
  expect(awayFacts(ago(21), lights, zone)).toBe("Away since Nov 24, 11:39 AM. 2 lights unknown");
  expect(awayFacts(null, lights, zone)).toBe("Never answered. 2 lights unknown");
});

test("lit lights say what they are lit for, and how much else", () => {
  expect(litForWords([])).toBeNull();
  expect(litForWords(["On until 8:00 PM: emergency"])).toBe("Emergency until 8:00 PM");
  expect(litForWords(["On until 8:00 PM: Gates", "On until 9:00 PM: Market", "x"])).toBe("Gates until 8:00 PM, 2 more");
});

test("what comes next is told with its place where it is one", () => {
  const match = { title: "Match", place: "Pitch A", begins: true };
  expect(nextUpWords([])).toBeNull();
  expect(nextUpWords([match])).toBe("Match begins: Pitch A");
  expect(nextUpWords([{ ...match, begins: false }, match, match])).toBe("Match ends, 2 more");
  expect(nextUpWords(Array.from({ length: MOST_NEXT - 1 }, () => match))).toBe("Match begins, 8 more");
  // No more are read, however many there are.
  expect(nextUpWords(Array.from({ length: MOST_NEXT }, () => match))).toBe("Match begins, at least 9 more");
});

test("the city's dark hours are told as what is in force or comes", () => {
  const rules = { HARD_CURFEW_OFF: "23:45", BLACKOUT_WINDOW: "00:00-05:00", MAX_ON_DURATION_MIN: 240, zone } as const;
  const at = (clock: string) => darkHoursSentence(rules, Date.parse(`2026-11-24T${clock}:00-08:00`));
  expect(at("12:00")).toBe("Curfew from 11:45 PM");
  expect(at("23:50")).toBe("Curfew until 5:00 AM");
  expect(at("03:00")).toBe("Blackout until 5:00 AM");
  const none = { ...rules, HARD_CURFEW_OFF: "", BLACKOUT_WINDOW: "" };
  expect(darkHoursSentence(none, now)).toBeNull();
});

test("a work order is due some days after it was made, by the city's calendar and through a changed clock", () => {
  expect(madeBefore("urgent", zone, now)).toBe("2026-11-24T08:00:00.000Z");
  expect(madeBefore("low", zone, now)).toBe("2026-10-26T07:00:00.000Z");
  const made = { created_at: "2026-11-21T07:59:00.000Z", assignee: "ana" } as const; // late on the 20th
  expect(orderSentence({ ...made, priority: "high" }, zone, now)).toBe("Overdue by 1 day, open for 4 days (ana)");
  expect(orderSentence({ ...made, priority: "urgent" }, zone, now)).toBe(
    "Urgent and overdue by 3 days, open for 4 days (ana)",
  );
});
