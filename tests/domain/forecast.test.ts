import fc from "fast-check";
import { expect, test } from "vitest";
import { foresee, upToFlip } from "#domain/forecast/forecast";
import { segmentsOf } from "#domain/forecast/forecast-segments";
import { asAsked, expanded } from "#domain/forecast/forecast-windows";
import type { Closure } from "#domain/guardrails/device-limits";
import { toLocalInput } from "#domain/time/display";
import { aSchedule, at, guardrails, LA, Light, planned } from "./a-light";
import { runsHere } from "./runs";

const booking = (start: string, end: string, rrule: string | null = null) =>
  aSchedule(`2026-07-01 ${start}`, `2026-07-01 ${end}`, rrule);

function flipOf(light: Light): string | null {
  const outlook = { schedules: planned(light.plans), instants: light.instants, limits: light.limits };
  const flip = upToFlip(outlook, light.now)?.flip ?? null;
  if (flip === null) return null;
  const { date, time } = toLocalInput(flip.at, LA);
  return `${flip.resolved.state === "on" ? "on" : "off"} ${date} ${time}`;
}

test("foretells the next window for a dark light and the window's end for a lit one", () => {
  const light = new Light({ a: booking("18:00", "22:00") });
  expect(flipOf(light)).toBe("on 2026-07-01 18:00");
  expect(flipOf(light.goTo("2026-07-01 19:00"))).toBe("off 2026-07-01 22:00");
  expect(flipOf(light.goTo("2026-07-01 23:00"))).toBeNull();
});

test("joins windows that touch, until max on", () => {
  const light = new Light({ a: booking("16:00", "19:00"), b: booking("19:00", "23:30") }).goTo("2026-07-01 17:00");
  expect(flipOf(light)).toBe("off 2026-07-01 23:00");
});

test("skips a window inside a guardrail and starts a longer one when the guardrail ends", () => {
  const night = guardrails({ BLACKOUT_WINDOW: "18:00-20:00" });
  expect(flipOf(new Light({ a: booking("18:30", "19:30"), b: booking("21:00", "22:00") }, night))).toBe(
    "on 2026-07-01 21:00",
  );
  expect(flipOf(new Light({ a: booking("18:30", "20:30") }, night))).toBe("on 2026-07-01 20:00");
  expect(flipOf(new Light({ a: booking("18:30", "19:30", "FREQ=DAILY") }, night))).toBeNull();
});

test("foretells the first window after a season that is closed, and none of a place that nobody reopens", () => {
  const night = guardrails({ HARD_CURFEW_OFF: "23:45", BLACKOUT_WINDOW: "00:00-05:00" });
  const light = new Light({ a: booking("18:00", "22:00", "FREQ=DAILY") }, night);
  const reseeding = { id: "c", reason: "reseeding", start: at("2026-07-01 12:00"), end: at("2026-09-20 19:00") };
  expect(flipOf(light.limit({ closures: [reseeding] }))).toBe("on 2026-09-20 19:00");
  expect(flipOf(light.limit({ closures: [{ ...reseeding, end: Infinity }] }))).toBeNull();
});

test("foretells the next window for a light that was switched off in its window", () => {
  const light = new Light({ a: booking("18:00", "22:00", "FREQ=DAILY") }).goTo("2026-07-01 19:00").toggleOff();
  expect(flipOf(light)).toBe("on 2026-07-02 18:00");
});

/** 'on 18:00-22:00 On until 10:00 PM: a [a]' for each segment until `to`. */
function forecastOf(light: Light, to: string): string[] {
  const outlook = { schedules: planned(light.plans), instants: light.instants, limits: light.limits };
  const clockOf = (instant: number) => toLocalInput(instant, LA).time;
  return segmentsOf(foresee(outlook, light.now, at(to)), at(to), LA).map(
    ({ from, to: end, state, sentence, schedule_ids }) =>
      `${state} ${clockOf(from)}-${clockOf(end)} ${sentence} [${schedule_ids.join(" ")}]`,
  );
}

test("lists what a light is going to do, and why, without gaps", () => {
  const night = guardrails({ BLACKOUT_WINDOW: "23:00-05:00", MAX_ON_DURATION_MIN: 180 });
  const light = new Light({ a: booking("18:00", "20:00"), b: booking("20:00", "23:30") }, night);
  expect(forecastOf(light, "2026-07-02 06:00")).toEqual([
    "off 12:00-18:00 Off: nothing is scheduled []",
    "on 18:00-20:00 On until 8:00 PM: a [a]",
    "on 20:00-23:00 On until 11:00 PM: b [b]",
    "off 23:00-23:30 Off: blackout until 5:00 AM [b]",
    "off 23:30-05:00 Off: blackout until 5:00 AM []",
    "off 05:00-06:00 Off: nothing is scheduled []",
  ]);
});

test("names a window that stays dark, whether a person or the longest time on ended it", () => {
  const light = new Light({ a: booking("16:00", "22:00") }).goTo("2026-07-01 17:00");
  expect(forecastOf(light, "2026-07-01 23:00")).toEqual([
    "on 17:00-20:00 On until 8:00 PM: a [a]",
    "off 20:00-22:00 Off: 240 minutes reached [a]",
    "off 22:00-23:00 Off: nothing is scheduled []",
  ]);
  expect(forecastOf(light.toggleOff(), "2026-07-01 23:00")).toEqual([
    "off 17:00-22:00 Off: switched off by a person [a]",
    "off 22:00-23:00 Off: nothing is scheduled []",
  ]);
});

test("tells when a light goes off, though a booking within another begins the longest time on anew while it lasts", () => {
  const light = new Light({ a: booking("17:00", "23:00"), b: booking("20:00", "20:30"), c: booking("20:15", "21:30") });
  expect(forecastOf(light.goTo("2026-07-01 20:00"), "2026-07-01 22:00")).toEqual([
    "on 20:00-20:15 On until 9:00 PM: a, b [a b]",
    "on 20:15-20:30 On until 9:30 PM: a, b, c [a b c]",
    "on 20:30-21:30 On until 9:30 PM: a, c [a c]",
    "off 21:30-22:00 Off: 240 minutes reached [a]",
  ]);
  expect(forecastOf(light.goTo("2026-07-01 21:00"), "2026-07-01 22:00")).toEqual([
    "on 21:00-21:30 On until 9:30 PM: a, c [a c]",
    "off 21:30-22:00 Off: 240 minutes reached [a]",
  ]);
});

/** Whoever reads 'On until 9:00 PM' last before it is dark has read when. */
function contradictions(light: Light, days: number): string[] {
  const outlook = { schedules: planned(light.plans), instants: light.instants, limits: light.limits };
  const steps = [...foresee(outlook, light.now, light.now + days * 86_400_000)];
  return steps.flatMap(({ at: end, resolved }, n) => {
    const before = steps[n - 1]?.resolved;
    if (before?.state !== "on" || resolved.state === "on" || !("until" in before.reason)) return [];
    return before.reason.until === end ? [] : [`off at ${toLocalInput(end, LA).time}, not when said`];
  });
}

test("leaves a light that a hand lit on until its limit", () => {
  const light = new Light({}).switchAtLamp("on");
  expect(forecastOf(light, "2026-07-01 18:00")).toEqual([
    "on 12:00-16:00 Switched on at the lamp; off at 4:00 PM at the latest []",
    "off 16:00-18:00 Off: 240 minutes reached []",
  ]);
});

const clock = fc.integer({ min: 0, max: 95 }).map((n) => n * 15);
const text = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
const plan = fc
  .record({ start: clock, length: fc.integer({ min: 1, max: 60 }), daily: fc.boolean() })
  .map(({ start, length, daily }) => {
    const begin = at(`2026-07-01 ${text(start)}`);
    return {
      start_at: new Date(begin).toISOString(),
      end_at: new Date(begin + length * 15 * 60_000).toISOString(),
      rrule: daily ? "FREQ=DAILY" : null,
      timezone: LA,
    };
  });
const rules = fc
  .record({ from: clock, to: clock, isOn: fc.boolean(), max: fc.integer({ min: 15, max: 600 }) })
  .map(({ from, to, isOn, max }) =>
    guardrails({
      BLACKOUT_WINDOW: isOn && from !== to ? `${text(from)}-${text(to)}` : "",
      MAX_ON_DURATION_MIN: max,
    }),
  );

function closureOf([from, hours]: [number, number], n: number): Closure {
  const start = at("2026-07-01 12:00") + from * 3_600_000;
  return { id: `c${n}`, reason: "wet ground", start, end: start + hours * 3_600_000 };
}

test("a light switches when foretold, not earlier", () => {
  const story = fc.record({
    plans: fc.dictionary(fc.constantFrom("a", "b", "c"), plan, { maxKeys: 3 }),
    rules,
    act: fc.constantFrom("nothing", "on", "off", "lamp"),
    hours: fc.integer({ min: 0, max: 30 }),
    closures: fc.array(fc.tuple(fc.integer({ min: -20, max: 40 }), fc.constantFrom(1, 7, 30, Infinity)), {
      maxLength: 2,
    }),
  });
  fc.assert(
    fc.property(story, ({ plans, rules: house, act, hours, closures }) => {
      const light = new Light(plans, house)
        .limit({ closures: closures.map(closureOf) })
        .goTo(at("2026-07-01 12:00") + hours * 3_600_000);
      if (act === "on") light.toggleOn();
      if (act === "off") light.toggleOff();
      if (act === "lamp") light.switchAtLamp("on");
      const isOn = light.resolved().state === "on";
      const outlook = { schedules: planned(light.plans), instants: light.instants, limits: light.limits };
      const flip = upToFlip(outlook, light.now)?.flip ?? null;
      const end = flip?.at ?? light.now + 3 * 86_400_000;
      light.goTo(end - 1);
      expect(light.resolved().state === "on").toBe(isOn);
      if (flip) expect(light.goTo(end).resolved().state === "on").toBe(!isOn);
    }),
    { numRuns: runsHere(300) },
  );
});

test("the end that is told last before a light goes off is when it does", () => {
  const story = fc.record({
    plans: fc.dictionary(fc.constantFrom("a", "b", "c"), plan, { maxKeys: 3 }),
    rules,
    act: fc.constantFrom("nothing", "on", "until", "emergency"),
    hours: fc.integer({ min: 0, max: 30 }),
    closures: fc.array(fc.tuple(fc.integer({ min: -20, max: 40 }), fc.constantFrom(1, 7, 30)), { maxLength: 1 }),
  });
  fc.assert(
    fc.property(story, ({ plans, rules: house, act, hours, closures }) => {
      const light = new Light(plans, house).limit({ closures: closures.map(closureOf) });
      light.goTo(at("2026-07-01 12:00") + hours * 3_600_000);
      if (act === "on") light.toggleOn();
      if (act === "until") light.holdOn(light.now + 9 * 3_600_000);
      if (act === "emergency") light.emergency(light.now + 9 * 3_600_000);
      expect(contradictions(light, 3)).toEqual([]);
    }),
    { numRuns: runsHere(500) },
  );
});

test("windows computed at once are those computed for each instant", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("a", "b", "c"), plan, { maxKeys: 3 }), (plans) => {
      const from = at("2026-07-01 12:00");
      const to = from + 4 * 86_400_000;
      const schedules = planned(plans);
      const [asked, known] = [asAsked(schedules), expanded(schedules, from, to)];
      for (let now = from; now < to; now += 15 * 60_000) {
        expect(known.at(now)).toEqual(asked.at(now));
        const next = asked.nextStart(now);
        expect(known.nextStart(now)).toBe(next !== null && next < to ? next : null);
      }
    }),
    { numRuns: 50 },
  );
});
