import { expect, test } from "vitest";
import type { Segment } from "#domain/forecast/forecast-segments";
import {
  barsOf,
  joined,
  seenOf,
  within,
  type NightBar,
  type NightLight,
  type NightSchedule,
} from "#domain/tonight/tonight";
import { flipsAfter } from "#domain/tonight/tonight-flips";
import { furthestDate, hourMarks, placeOf } from "#domain/tonight/tonight-frame";
import { frameOf } from "#domain/tonight/tonight-schema";
import {
  barSentence,
  cutWords,
  hoursWords,
  isWrongBar,
  nightSentence,
  unplannedWords,
  verifiedWords,
  whyWords,
} from "#domain/tonight/tonight-words";
import { at, LA } from "./a-light";

const NOON = at("2026-07-01 12:00");
const NEXT = at("2026-07-02 12:00");
const FRAME = { from: NOON, to: NEXT };
const evening = (time: string) => at(`2026-07-01 ${time}`);

function segment(from: number, to: number, more: Partial<Segment>): Segment {
  return { from, to, state: "on", reason: "claim", sentence: "On until then: Practice", schedule_ids: [], ...more };
}
const plan = (id: string, more: Partial<NightSchedule> = {}): [string, NightSchedule] => [
  id,
  { id, title: `Title ${id}`, by_sun: false, may_skip: false, who: null, group: null, ...more },
];
const PLANS = new Map([plan("a"), plan("b"), plan("dusk", { by_sun: true }), plan("pitch", { group: "Pitch A" })]);
const none = { hold: null, now: NOON };

function light(name: string, bars: NightLight["bars"], more: Partial<NightLight> = {}): NightLight {
  const own = { id: name, name, area_id: "park", state: "off" as const, problem: null, hold: null, may_toggle: true };
  return { ...own, bars, seen: [], ...more };
}
const barOf = (from: number, to: number, more: Partial<Segment>) =>
  barsOf([segment(from, to, more)], PLANS, none).slice(0, 1);

test.each<[string, Partial<Segment>, string | undefined]>([
  ["a booking", { schedule_ids: ["a"] }, "booked"],
  ["a window by the sun", { schedule_ids: ["dusk"] }, "sun"],
  ["an ON with an end", { reason: "hold_on" }, "hand"],
  ["a plain ON", { reason: "manual_on" }, "hand"],
  ["an emergency", { reason: "emergency" }, "emergency"],
  ["a light that a hand switched on", { reason: "external" }, "unasked"],
  ["an OFF with an end", { state: "off", reason: "hold_off" }, "held"],
  ["a closure", { state: "off", reason: "closure" }, "closed"],
  ["a booking that the curfew cuts", { state: "off", reason: "curfew", schedule_ids: ["a"] }, "cut"],
  ["a booking that somebody switched off", { state: "off", reason: "idle", schedule_ids: ["a"] }, "cut"],
  ["a curfew in which nothing is booked", { state: "off", reason: "curfew" }, undefined],
  ["nothing", { state: "off", reason: "idle" }, undefined],
])("%s has its own color, or no bar", (_, more, why) => {
  expect(barOf(NOON, NEXT, more)[0]?.why).toBe(why);
});

test("what was wanted until now and what is foreseen are one bar", () => {
  const now = evening("18:00");
  const rows = joined([
    segment(NOON, evening("17:00"), { state: "off", reason: "idle" }),
    segment(evening("17:00"), now, { schedule_ids: ["a"] }),
    segment(now, evening("19:30"), { schedule_ids: ["a"] }),
    segment(evening("19:30"), NEXT, { schedule_ids: ["b"] }),
  ]);
  const bars = barsOf(rows, PLANS, none);
  expect(bars.map(({ from, to, text }) => [from, to, text])).toEqual([
    [evening("17:00"), evening("19:30"), "Title a"],
    [evening("19:30"), NEXT, "Title b"],
  ]);
});

test("a closure is one bar, whatever is booked while it lasts", () => {
  const closed = {
    state: "off",
    reason: "closure",
    sentence: "Off: closed until Nov 27, 6:00 AM: wet ground",
  } as const;
  const bars = barsOf(
    [
      segment(NOON, evening("17:00"), closed),
      segment(evening("17:00"), evening("19:00"), { ...closed, schedule_ids: ["a"] }),
      segment(evening("19:00"), NEXT, closed),
    ],
    PLANS,
    none,
  );
  expect(bars).toHaveLength(1);
  expect(bars[0]).toMatchObject({ from: NOON, to: NEXT, text: "Closed until Nov 27, 6:00 AM: wet ground" });
});

test("a closure that follows another is a bar of its own, with its own reason", () => {
  const closed = (from: string, to: string, sentence: string, schedule_ids: string[] = []) =>
    segment(evening(from), evening(to), { state: "off", reason: "closure", sentence, schedule_ids });
  const rows = joined([
    closed("17:00", "18:00", "Off: closed until Jul 1, 7:00 PM: wet ground"),
    closed("18:00", "18:30", "Off: closed until Jul 1, 7:00 PM: wet ground", ["a"]),
    // As the engine tells it from now on; somebody has lengthened it.
    closed("18:30", "19:30", "Off: closed until Jul 1, 7:30 PM: wet ground", ["a"]),
    closed("19:30", "21:00", "Off: closed: new lines", ["a"]),
    segment(evening("21:00"), evening("22:00"), { state: "off", reason: "hold_off", schedule_ids: ["b"] }),
    segment(evening("22:00"), evening("23:00"), { state: "off", reason: "hold_off", schedule_ids: ["a"] }),
  ]);
  expect(rows.map(({ from, to }) => [from, to])).toEqual([
    [evening("17:00"), evening("18:00")],
    [evening("18:00"), evening("19:30")],
    [evening("19:30"), evening("21:00")],
    [evening("21:00"), evening("22:00")],
    [evening("22:00"), evening("23:00")],
  ]);
  const bars = barsOf(rows.slice(1), PLANS, none);
  expect(bars.map(({ from, why, text, schedule_ids }) => [from, why, text, ...schedule_ids])).toEqual([
    [evening("18:00"), "closed", "Closed until Jul 1, 7:30 PM: wet ground", "a"],
    [evening("19:30"), "closed", "Closed: new lines", "a"],
    [evening("21:00"), "held", "Switched off by hand", "b", "a"],
  ]);
});

test("a toggle that lasts says its reason and who pressed", () => {
  const now = evening("18:00");
  const until = new Date(evening("20:00")).toISOString();
  const hold = { action: "off", until, reason: "rain", by: "ana@parks.example", emergency: false } as const;
  const segments = [
    segment(evening("13:00"), evening("14:00"), { state: "off", reason: "hold_off" }),
    segment(evening("17:00"), evening("20:00"), { state: "off", reason: "hold_off" }),
  ];
  expect(barsOf(segments, PLANS, { hold, now }).map(({ text, who }) => [text, who])).toEqual([
    ["Switched off by hand", null],
    ["rain", "ana"],
  ]);
});

test("a closure or an OFF is not told to be by whoever booked what it keeps dark", () => {
  const plans = new Map([plan("league", { who: "joel@parks.example" })]);
  const dark = (reason: Segment["reason"]) =>
    segment(evening("17:00"), evening("18:00"), { state: "off", reason, schedule_ids: ["league"] });
  const whoOf = (reason: Segment["reason"]) => barsOf([dark(reason)], plans, none)[0]?.who;
  expect([whoOf("closure"), whoOf("hold_off"), whoOf("curfew")]).toEqual([null, null, "joel"]);
});

test("an OFF keeps its reason and its person when a booking begins while it lasts", () => {
  const until = new Date(evening("20:00")).toISOString();
  const hold = { action: "off", until, reason: "rain", by: "ana@parks.example", emergency: false } as const;
  const off = (from: string, to: string, schedule_ids: string[] = []) =>
    segment(evening(from), evening(to), { state: "off", reason: "hold_off", schedule_ids });
  const segments = [off("17:00", "18:30"), off("18:30", "19:30", ["a"]), off("19:30", "20:00")];
  for (const now of ["18:00", "19:00", "19:45"]) {
    const bars = barsOf(segments, PLANS, { hold, now: evening(now) });
    expect(bars.map(({ from, to, text, who }) => [from, to, text, who])).toEqual([
      [evening("17:00"), evening("20:00"), "rain", "ana"],
    ]);
  }
});

test("an OFF keeps them behind a blackout, too, and in the night that follows", () => {
  const until = new Date(NEXT + 3_600_000).toISOString();
  const hold = { action: "off", until, reason: "rain", by: "ana@parks.example", emergency: false } as const;
  const off = (from: number, to: number) => segment(from, to, { state: "off", reason: "hold_off" });
  const blackout = segment(evening("21:00"), evening("22:00"), { state: "off", reason: "blackout" });
  const segments = [off(evening("20:00"), evening("21:00")), blackout, off(evening("22:00"), NEXT + 3_600_000)];
  const told = (now: string) =>
    barsOf(segments, PLANS, { hold, now: evening(now) }).map(({ text, who }) => [text, who]);
  expect(told("20:30")).toEqual([
    ["rain", "ana"],
    ["rain", "ana"],
  ]);
  expect(told("21:30").at(-1)).toEqual(["rain", "ana"]);
  const emergency = barsOf(segments, PLANS, {
    hold: { ...hold, action: "on", emergency: true },
    now: evening("20:30"),
  });
  expect(emergency.map(({ text }) => text)).toEqual(["Switched off by hand", "Switched off by hand"]);
});

test("of what is booked while a place is closed, a night that is not over can be skipped", () => {
  const plans = new Map([plan("early", { may_skip: true }), plan("late", { may_skip: true })]);
  const closed = (from: string, to: string, schedule_ids: string[]) =>
    segment(evening(from), evening(to), { state: "off", reason: "closure", schedule_ids });
  const segments = [
    closed("13:00", "14:00", []),
    closed("14:00", "16:00", ["early"]),
    closed("16:00", "18:00", []),
    closed("18:00", "20:00", ["late"]),
  ];
  const seriesAt = (now: string) => barsOf(segments, plans, { hold: null, now: evening(now) })[0]?.series;
  expect(["13:30", "15:00", "17:00", "19:00"].map(seriesAt)).toEqual(["early", "early", "late", "late"]);
});

const PLANNED = [
  segment(NOON, evening("17:00"), { state: "off", reason: "idle" }),
  segment(evening("17:00"), evening("21:00"), { schedule_ids: ["a"] }),
  segment(evening("21:00"), NEXT, { state: "off", reason: "idle" }),
];
const BARS = barsOf(PLANNED, PLANS, none);
const known = evening("23:00");
const seen = (...readings: [string, string, "on" | "off" | "unknown"][]) =>
  seenOf(
    PLANNED,
    BARS,
    readings.map(([from, to, state]) => ({ from: evening(from), to: evening(to), state })),
    { known, isWrong: false },
  ).map(({ from, to, as }) => [from, to, as]);

test("light is told as verified, dark against the plan as failed, and light beside the plan as not asked for", () => {
  expect(seen(["12:00", "17:30", "off"], ["17:30", "22:00", "on"], ["22:00", "23:00", "unknown"])).toEqual([
    [evening("17:00"), evening("17:30"), "failed"],
    [evening("17:30"), evening("21:00"), "lit"],
    [evening("21:00"), evening("22:00"), "unasked"],
  ]);
});

test("the time in which a lamp switches and is read is not told as wrong", () => {
  expect(seen(["12:00", "17:01", "off"], ["17:01", "21:02", "on"], ["21:02", "23:00", "off"])).toEqual([
    [evening("17:01"), evening("21:02"), "lit"],
  ]);
  const late = [{ from: NOON, to: evening("17:01"), state: "off" as const }];
  const told = (isWrong: boolean) => seenOf(PLANNED, BARS, late, { known: evening("17:01"), isWrong }).length;
  expect([told(false), told(true)]).toEqual([0, 1]);
});

test("where nobody knows, only what was planned is told as unknown", () => {
  expect(seen(["12:00", "23:00", "unknown"])).toEqual([[evening("17:00"), evening("21:00"), "unknown"]]);
});

test("what lights do next is told by group, by light, or by number", () => {
  const off = barOf(evening("17:00"), evening("19:30"), { schedule_ids: ["pitch"] });
  const on = barOf(evening("19:30"), evening("22:00"), { schedule_ids: ["b"] });
  const words = (lights: NightLight[], more = {}) =>
    nightSentence({
      frame: { ...FRAME, kind: "running" },
      totals: { on: 2, wrong: 1, unknown: 0, all: 3 },
      lights,
      isWhole: true,
      isForeseen: true,
      areas: new Map([["park", "Elm Park"]]),
      now: evening("18:00"),
      zone: LA,
      ...more,
    });
  const counts = "2 of 3 lights are on, 1 is wrong.";
  expect(words([light("A1", off), light("A2", off), light("B1", on)])).toBe(
    `${counts} Next at 7:30 PM: Pitch A goes off, B1 on.`,
  );
  expect(words([light("B1", on), light("B2", on)])).toBe(`${counts} Next at 7:30 PM: 2 lights of Elm Park go on.`);
  expect(words([light("B1", on)], { isWhole: false })).toBe(
    `${counts} Next among the lights shown here at 7:30 PM: B1 goes on.`,
  );
  expect(words([light("B1", on)], { isForeseen: false })).toBe(`${counts} What comes next is not known right now.`);
  expect(words([])).toBe(`${counts} Nothing changes before noon.`);
});

test("from one booking to the next a light neither goes off nor on", () => {
  const bars = [
    ...barOf(evening("17:00"), evening("19:30"), { schedule_ids: ["a"] }),
    ...barOf(evening("19:30"), evening("22:00"), { schedule_ids: ["b"] }),
  ];
  const flips = flipsAfter([light("A1", bars)], NOON, NEXT);
  expect(flips.map(({ at: instant, on }) => [instant, on])).toEqual([
    [evening("17:00"), true],
    [evening("22:00"), false],
  ]);
});

test("what is switched at noon sharp is told, and not what reaches beyond the noon", () => {
  const of = (name: string, from: number, to: number, mark: Partial<NightBar> = {}) =>
    light(
      name,
      barOf(from, to, { schedule_ids: ["a"] }).map((bar) => ({ ...bar, ...mark })),
    );
  const lights = [
    of("begins", NOON, evening("14:00")),
    of("lasts", NOON, evening("15:00"), { isFromBefore: true }),
    of("ends", evening("22:00"), NEXT),
    of("goes on", evening("23:00"), NEXT, { goesOn: true }),
  ];
  const flips = flipsAfter(lights, NOON - 1, NEXT + 1);
  expect(flips.map(({ at: instant, on, lights: all }) => [instant, on, ...all.map(({ name }) => name)])).toEqual([
    [NOON, true, "begins"],
    [evening("14:00"), false, "begins"],
    [evening("15:00"), false, "lasts"],
    [evening("22:00"), true, "ends"],
    [evening("23:00"), true, "goes on"],
    [NEXT, false, "ends"],
  ]);
});

test("from one booking to the next at noon sharp a light neither goes off nor on", () => {
  const booked = (from: number, to: number, id: string) => segment(from, to, { schedule_ids: [id] });
  const [begin, end] = [at("2026-07-01 10:00"), at("2026-07-02 14:00")];
  const segments = [
    booked(begin, NOON, "a"),
    booked(NOON, evening("14:00"), "b"),
    booked(evening("22:00"), NEXT, "a"),
    booked(NEXT, end, "b"),
  ];
  const flips = flipsAfter([light("court", within(barsOf(segments, PLANS, none), FRAME))], NOON - 1, NEXT + 1);
  expect(flips.map(({ at: instant, on }) => [instant, on])).toEqual([
    [evening("14:00"), false],
    [evening("22:00"), true],
  ]);
});

test("what lights do in one minute is told at once, in the order of minutes, what goes off before what goes on", () => {
  const some = (from: number, to: number) => barOf(from, to, { schedule_ids: ["a"] });
  const second = 1_000;
  const lights = [
    light("late", some(evening("19:30"), evening("22:00"))),
    light("first", some(evening("18:00") + 50 * second, evening("19:30") + 20 * second)),
    light("second", some(evening("18:00"), evening("22:00"))),
  ];
  const told = (after: number, until: number) =>
    flipsAfter(lights, after, until).map((flip) => [flip.on, flip.lights.map(({ name }) => name).join()]);
  expect(told(NOON, NEXT)).toEqual([
    [true, "first,second"],
    [false, "first"],
    [true, "late"],
    [false, "late,second"],
  ]);
  // What happens at the first instant has happened, and at the last it lies beyond the night.
  expect(told(evening("18:00"), evening("22:00"))).toEqual([
    [true, "first"],
    [false, "first"],
    [true, "late"],
  ]);
});

test("a past night and one to come are told in a sentence, too", () => {
  const booked = barOf(evening("17:00"), evening("19:30"), { schedule_ids: ["a"] });
  const told = {
    totals: { on: 0, wrong: 0, unknown: 0, all: 2 },
    isWhole: true,
    isForeseen: true,
    areas: new Map(),
    now: NOON,
    zone: LA,
  };
  const lit = [{ from: evening("17:00"), to: evening("18:00"), as: "lit" as const }];
  const failed = [{ from: evening("17:00"), to: evening("18:00"), as: "failed" as const }];
  const lights = [light("A1", booked, { seen: lit }), light("A2", booked, { seen: failed })];
  expect(nightSentence({ ...told, lights, frame: { ...FRAME, kind: "past" } })).toBe(
    "1 of 2 lights were lit, 1 was dark though planned on.",
  );
  const unasked = [{ from: evening("17:00"), to: evening("18:00"), as: "unasked" as const }];
  const byHand = [light("A1", [], { seen: unasked }), light("A2", [], { seen: unasked })];
  expect(nightSentence({ ...told, lights: byHand, frame: { ...FRAME, kind: "past" } })).toBe(
    "0 of 2 lights were lit, 2 were lit though nobody asked for it.",
  );
  expect(nightSentence({ ...told, lights, frame: { ...FRAME, kind: "coming" } })).toBe(
    "2 of 2 lights are planned on. First at 5:00 PM: 2 lights of its area go on.",
  );
  const coming = { ...told, lights: [light("A1", []), light("A2", [])], frame: { ...FRAME, kind: "coming" as const } };
  expect(nightSentence(coming)).toBe("Nothing is planned.");
  expect(nightSentence({ ...coming, isWhole: false })).toBe("Nothing is planned for the lights shown here.");
  expect(nightSentence({ ...coming, isForeseen: false })).toBe("What is planned is not known right now.");
});

test.each([
  ["past", "1 of 1 light was lit.", "1 of 1 light shown here was lit."],
  ["coming", "1 of 1 light is planned on. First", "1 of 1 light shown here is planned on. First"],
] as const)("one light alone is one light in a %s night", (kind, whole, part) => {
  const booked = barOf(evening("17:00"), evening("19:30"), { schedule_ids: ["a"] });
  const lit = [{ from: evening("17:00"), to: evening("18:00"), as: "lit" as const }];
  const told = {
    totals: { on: 0, wrong: 0, unknown: 0, all: 1 },
    lights: [light("A1", booked, { seen: lit })],
    isForeseen: true,
    areas: new Map(),
    now: NOON,
    zone: LA,
    frame: { ...FRAME, kind },
  };
  expect(nightSentence({ ...told, isWhole: true })).toContain(whole);
  expect(nightSentence({ ...told, isWhole: false })).toContain(part);
});

test("what is on since before the night's noon is not told as going on at that noon", () => {
  const through = barOf(NOON, evening("15:00"), { schedule_ids: ["a"] }).map((bar) => ({
    ...bar,
    isFromBefore: true as const,
  }));
  const later = barOf(evening("18:00"), evening("19:00"), { schedule_ids: ["b"] });
  const told = {
    totals: { all: 2, on: 0, wrong: 0, unknown: 0 },
    isWhole: true,
    isForeseen: true,
    areas: new Map(),
    now: NOON,
    zone: LA,
    frame: { ...FRAME, kind: "coming" as const },
  };
  const lights = [light("A1", through, { seen: [] }), light("A2", later, { seen: [] })];
  expect(nightSentence({ ...told, lights })).toBe("2 of 2 lights are planned on. First at 3:00 PM: A1 goes off.");
});

test("a bar's name is a sentence with its hours, its reason and what readings said", () => {
  const [bar] = barOf(evening("17:00"), evening("19:30"), { schedule_ids: ["a"] });
  if (!bar) throw new Error("there is a bar");
  const dark = light("South mast", [bar], {
    seen: [{ from: evening("17:00"), to: evening("18:00"), as: "failed" }],
  });
  expect(barSentence(bar, dark, { known: evening("18:00"), zone: LA })).toBe(
    "South mast: Title a, 5:00 PM to 7:30 PM, booked, dark since 5:00 PM",
  );
  expect(verifiedWords(bar, dark, evening("16:00"), LA)).toBe("not yet");
  expect(verifiedWords(bar, light("x", [bar]), evening("18:00"), LA)).toBe("not confirmed");
  const whole = { from: NOON, to: NEXT };
  expect(hoursWords({ ...whole, isFromBefore: true, goesOn: true }, LA)).toBe("before noon to after noon");
  expect(hoursWords({ ...whole, to: evening("14:00") }, LA)).toBe("12:00 PM to 2:00 PM");
  const [cut] = barOf(NOON, NEXT, { state: "off", reason: "curfew", schedule_ids: ["a"] });
  expect(cut && whyWords(cut)).toBe("Cut by curfew");
});

test("what readings said of a bar is told piece by piece, of a dark one as planned where they said nothing", () => {
  const [bar] = barOf(evening("17:00"), evening("21:00"), { schedule_ids: ["a"] });
  const [dark] = barOf(evening("21:00"), evening("22:00"), { state: "off", reason: "closure" });
  if (!bar || !dark) throw new Error("there are two bars");
  const words = (of: typeof bar, until: string, ...pieces: [string, string, NightLight["seen"][number]["as"]][]) =>
    verifiedWords(
      of,
      light("A1", [bar, dark], {
        seen: pieces.map(([from, to, as]) => ({ from: evening(from), to: evening(to), as })),
      }),
      evening(until),
      LA,
    );
  expect(words(bar, "17:00")).toBe("not yet");
  expect(words(bar, "19:00", ["16:00", "18:00", "failed"], ["18:00", "19:00", "lit"])).toBe(
    "dark from 5:00 PM until 6:00 PM, then lit since 6:00 PM",
  );
  // Over is over, also where it goes on behind the bar.
  expect(words(bar, "22:00", ["17:00", "21:30", "unknown"])).toBe("unknown from 5:00 PM");
  expect(words(dark, "22:00", ["17:00", "21:00", "lit"])).toBe("dark, as planned");
  expect(words(dark, "22:00", ["21:10", "21:40", "unasked"])).toBe("lit from 9:10 PM until 9:40 PM");
});

test("the seconds that a light takes to go out are not told of the bar that darkens it", () => {
  const [dark] = barOf(evening("21:00"), evening("22:00"), { state: "off", reason: "closure" });
  const [lit] = barOf(evening("21:00"), evening("22:00"), { schedule_ids: ["a"] });
  if (!dark || !lit) throw new Error("there are two bars");
  const nine = evening("21:00");
  type As = NightLight["seen"][number]["as"];
  const words = (bar: typeof dark, seconds: number, as: As = "lit", known = evening("22:00")) =>
    verifiedWords(bar, light("A1", [bar], { seen: [{ from: nine, to: nine + seconds * 1000, as }] }), known, LA);
  expect(words(dark, 8)).toBe("dark, as planned");
  // It has not gone out yet.
  expect(words(dark, 8, "lit", nine + 8_000)).toBe("lit since 9:00 PM");
  expect(words(dark, 60)).toBe("lit from 9:00 PM until 9:01 PM");
  expect(words(dark, 8, "unknown")).toBe("unknown from 9:00 PM until 9:00 PM");
  expect(words(lit, 8)).toBe("lit from 9:00 PM until 9:00 PM");
});

test("a bar is wrong where it is dark or lit against the plan, and not for what lies beside it", () => {
  const [bar] = barOf(evening("17:00"), evening("21:00"), { schedule_ids: ["a"] });
  if (!bar) throw new Error("there is a bar");
  const isWrong = (from: string, to: string, as: NightLight["seen"][number]["as"]) =>
    isWrongBar(bar, light("A1", [bar], { seen: [{ from: evening(from), to: evening(to), as }] }));
  expect(isWrong("17:00", "17:10", "failed")).toBe(true);
  expect(isWrong("20:50", "22:00", "unasked")).toBe(true);
  expect(isWrong("17:00", "21:00", "lit")).toBe(false);
  expect(isWrong("17:00", "21:00", "unknown")).toBe(false);
  expect(isWrong("16:00", "17:00", "failed")).toBe(false);
  expect(isWrong("21:00", "22:00", "unasked")).toBe(false);
});

test("of a light of which nothing is planned it is told what it does, or what somebody had it do", () => {
  const hand = [{ from: evening("18:20"), to: known, as: "unasked" as const }];
  const words = (more: Partial<NightLight>, kind: "past" | "running" | "coming" = "running", until = known) =>
    unplannedWords(light("A1", [], more), kind, until, LA);
  expect(words({ seen: hand, state: "on" })).toBe("lit since 6:20 PM");
  expect(words({ seen: hand }, "past")).toBe("lit from 6:20 PM");
  expect(words({ seen: hand }, "running", known + 60_000)).toBe("lit from 6:20 PM");
  expect([words({ state: "off" }), words({ state: "on" }), words({ state: "unknown" })]).toEqual([
    "dark",
    "lit",
    "unknown",
  ]);
  expect([words({}, "past"), words({}, "coming")]).toEqual(["dark", ""]);
});

test("what a limit cuts from a booking is told behind it, and what is skipped is no cut", () => {
  const [booked, cut] = barsOf(
    [
      segment(evening("17:00"), evening("21:00"), { schedule_ids: ["a"] }),
      segment(evening("21:00"), evening("21:30"), { state: "off", reason: "max_on", schedule_ids: ["a"] }),
    ],
    PLANS,
    none,
  );
  if (!booked || !cut) throw new Error("there are two bars");
  expect(cutWords(booked, { bars: [booked, cut] })).toBe("cut 30 min");
  expect(cutWords(booked, { bars: [booked, { ...cut, to: cut.from + 480 * 60_000 }] })).toBe("cut 8 h");
  expect(cutWords(cut, { bars: [booked, cut] })).toBe("");
  expect(cutWords(booked, { bars: [booked] })).toBe("");
  expect(cutWords(booked, { bars: [booked, { ...cut, from: cut.from + 1 }] })).toBe("");
  expect(cutWords(booked, { bars: [booked, { ...cut, schedule_ids: ["b"] }] })).toBe("");
  expect(cutWords(booked, { bars: [booked, { ...cut, isSkipped: true }] })).toBe("");
});

test.each([
  ["an ordinary night", "2026-07-01", 24, ["12 AM", "2 AM", "4 AM"]],
  ["the night on which clocks go back", "2026-10-31", 25, ["12 AM", "2 AM", "4 AM"]],
  ["the night on which clocks go forward", "2026-03-07", 23, ["12 AM", "4 AM", "6 AM"]],
])("the axis of %s marks the wall clock's even hours", (_, date, hours, marks) => {
  const frame = frameOf(date, LA, at("2026-03-01 12:00"));
  const far = frame ?? frameOf(date, LA, at(`${date} 13:00`));
  if (!far) throw new Error("the night is there");
  expect((far.to - far.from) / 3_600_000).toBe(hours);
  const labels = hourMarks(far, LA);
  expect(labels[0]).toEqual({ at: far.from, label: "12 PM" });
  expect(labels.slice(6, 9).map(({ label }) => label)).toEqual(marks);
  const six = labels.find(({ label }) => label === "6 AM");
  expect(six && placeOf(six.at, far)).toBeCloseTo(((hours - 6) / hours) * 100, 1);
});

test("a night is past, running or to come, and its neighbours are linked as far as a forecast reaches", () => {
  const now = at("2026-07-02 03:00");
  expect(frameOf(undefined, LA, now)).toMatchObject({
    date: "2026-07-01",
    kind: "running",
    previous: "2026-06-30",
    next: "2026-07-02",
  });
  expect(frameOf("2026-06-30", LA, now)?.kind).toBe("past");
  expect(frameOf("2026-07-02", LA, now)?.kind).toBe("coming");
  expect(frameOf("2026-08-01", LA, now)?.next).toBeNull();
  expect(frameOf("2026-08-02", LA, now)).toBeNull();
  expect(frameOf("2026-02-30", LA, now)).toBeNull();
  expect(frameOf("tonight", LA, now)).toBeNull();
});

test.each([
  ["2026-02-06 11:30", "2026-03-08", "2026-03-09"],
  ["2026-02-06 12:00", "2026-03-09", "2026-03-10"],
  ["2026-10-05 12:30", "2026-11-05", "2026-11-06"],
])("at %s the last night that can be looked at is %s, also over a change of the clocks", (now, last, next) => {
  expect(furthestDate(LA, at(now))).toBe(last);
  expect(frameOf(last, LA, at(now))).toMatchObject({ date: last, next: null });
  expect(frameOf(next, LA, at(now))).toBeNull();
});
