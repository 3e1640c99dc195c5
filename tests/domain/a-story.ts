import fc from "fast-check";
import type { Timezone } from "#domain/enums";
import type { Guardrails } from "#domain/schedule/schedule";
import type { SunTime } from "#domain/schedule/sun-time";
import { at, guardrails, type Light, type Plans } from "./a-light";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How many days a story's bookings and limits are spread over. */
export const DAYS = 4;
/** The noons before the two nights on which the clocks change, and before an ordinary one. */
const NOONS = [at("2026-03-07 12:00"), at("2026-10-31 12:00"), at("2026-07-01 12:00")];
const LATITUDES = [0.3, 37.8, -43.5, 69.6];

const zone = fc.constantFrom<Timezone[]>("America/Los_Angeles", "America/New_York", "UTC");
const minute = fc.integer({ min: -3 * 1440, max: DAYS * 1440 });
const sunTime: fc.Arbitrary<SunTime> = fc.record({
  event: fc.constantFrom("sunrise", "sunset", "dawn", "dusk"),
  offset_min: fc.integer({ min: -60, max: 60 }),
  not_before: fc.constant(null),
  not_after: fc.constantFrom(null, "23:00"),
});
const plan = fc.record({
  start: minute,
  length: fc.integer({ min: 1, max: 1440 }),
  rrule: fc.constantFrom(
    null,
    "FREQ=DAILY",
    "FREQ=DAILY;INTERVAL=2",
    "FREQ=WEEKLY;BYDAY=SA,SU,MO",
    "FREQ=DAILY;COUNT=3",
  ),
  timezone: zone,
  start_sun: fc.option(sunTime),
  end_sun: fc.option(sunTime),
  lat: fc.constantFrom(...LATITUDES),
  skipped: fc.option(fc.integer({ min: 0, max: DAYS })),
});
const span = fc
  .record({ start: minute, length: fc.integer({ min: 1, max: 2 * 1440 }) })
  .map(({ start, length }) => ({ start, end: start + length }));
const clock = fc.integer({ min: 0, max: 95 }).map((n) => {
  const [hour, rest] = [Math.floor(n / 4), (n % 4) * 15];
  return `${String(hour).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
});
const rules: fc.Arbitrary<Guardrails> = fc
  .record({
    from: clock,
    to: clock,
    curfew: fc.option(clock),
    isDark: fc.boolean(),
    max: fc.integer({ min: 0, max: 500 }),
  })
  .map(({ from, to, curfew, isDark, max }) =>
    guardrails({
      BLACKOUT_WINDOW: isDark && from !== to ? `${from}-${to}` : "",
      HARD_CURFEW_OFF: curfew ?? "",
      MAX_ON_DURATION_MIN: max,
    }),
  );
/** A light's bookings, limits and one toggle, about one of the noons. */
export const story = fc.record({
  noon: fc.constantFrom(...NOONS),
  plans: fc.array(plan, { maxLength: 4 }),
  rules,
  closures: fc.array(span, { maxLength: 2 }),
  permits: fc.array(span, { maxLength: 2 }),
  press: fc.constantFrom("nothing", "on", "off", "on until", "off until", "emergency", "auto", "at the lamp"),
  hours: fc.integer({ min: 1, max: 23 }),
  later: fc.integer({ min: 0, max: 1440 }),
});
export type Story = typeof story extends fc.Arbitrary<infer One> ? One : never;

function plansOf({ plans, noon }: Story): Plans {
  return Object.fromEntries(
    plans.map(({ start, length, lat, skipped, start_sun, end_sun, ...rest }, n) => {
      const begin = noon + start * MINUTE_MS;
      const date = new Date(noon + (skipped ?? 0) * 24 * HOUR_MS).toISOString().slice(0, 10);
      return [
        `s${n}`,
        {
          ...rest,
          start_at: new Date(begin).toISOString(),
          end_at: new Date(begin + length * MINUTE_MS).toISOString(),
          start_sun,
          end_sun,
          positions: [{ lat, lon: -122, since: new Date(0).toISOString() }],
          skips: skipped === null ? null : [{ date }],
        },
      ];
    }),
  );
}

/** The light of a story, just after the toggle. */
export function begin<L extends Light>(told: Story, make: (...how: ConstructorParameters<typeof Light>) => L): L {
  const { noon } = told;
  const light = make(plansOf(told), told.rules, noon);
  const spans = (all: Story["closures"]) =>
    all.map(({ start, end }) => ({ start: noon + start * MINUTE_MS, end: noon + end * MINUTE_MS }));
  light.limit({
    closures: spans(told.closures).map((closed, n) => ({ ...closed, id: `c${n}`, reason: "wet" })),
    permits: spans(told.permits),
  });
  light.goTo(noon + told.later * MINUTE_MS);
  press(light, told);
  return light;
}

function press(light: Light, { press, hours }: Story): void {
  const until = light.now + hours * HOUR_MS;
  if (press === "on") light.toggleOn();
  if (press === "off") light.toggleOff();
  if (press === "on until") light.holdOn(until);
  if (press === "off until") light.holdOff(until);
  if (press === "emergency") light.emergency(until);
  if (press === "auto") light.auto();
  if (press === "at the lamp") light.switchAtLamp("on");
}
