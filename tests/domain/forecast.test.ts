import fc from "fast-check";
import { expect, test } from "vitest";
import { nextFlip } from "#domain/forecast";
import { toLocalInput } from "#domain/display";
import { aSchedule, at, guardrails, LA, Light, planned } from "./a-light";

const booking = (start: string, end: string, rrule: string | null = null) =>
  aSchedule(`2026-07-01 ${start}`, `2026-07-01 ${end}`, rrule);

function flipOf(light: Light): string | null {
  const outlook = { schedules: planned(light.plans), instants: light.instants, guardrails: light.rules };
  const flip = nextFlip(outlook, light.now);
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

test("foretells the next window for a light that was switched off in its window", () => {
  const light = new Light({ a: booking("18:00", "22:00", "FREQ=DAILY") }).goTo("2026-07-01 19:00").toggleOff();
  expect(flipOf(light)).toBe("on 2026-07-02 18:00");
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

test("a light switches when foretold, not earlier", () => {
  const story = fc.record({
    plans: fc.dictionary(fc.constantFrom("a", "b", "c"), plan, { maxKeys: 3 }),
    rules,
    act: fc.constantFrom("nothing", "on", "off", "lamp"),
    hours: fc.integer({ min: 0, max: 30 }),
  });
  fc.assert(
    fc.property(story, ({ plans, rules: house, act, hours }) => {
      const light = new Light(plans, house).goTo(at("2026-07-01 12:00") + hours * 3_600_000);
      if (act === "on") light.toggleOn();
      if (act === "off") light.toggleOff();
      if (act === "lamp") light.switchAtLamp("on");
      const isOn = light.resolved().state === "on";
      const outlook = { schedules: planned(light.plans), instants: light.instants, guardrails: light.rules };
      const flip = nextFlip(outlook, light.now);
      const end = flip?.at ?? light.now + 3 * 86_400_000;
      light.goTo(end - 1);
      expect(light.resolved().state === "on").toBe(isOn);
      if (flip) expect(light.goTo(end).resolved().state === "on").toBe(!isOn);
    }),
    { numRuns: 300 },
  );
});
