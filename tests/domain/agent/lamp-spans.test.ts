import fc from "fast-check";
import { expect, test } from "vitest";
import { isIn, lampSpans, litUntil } from "#domain/agent/lamp-spans";
import type { Resolved } from "#domain/resolve/rungs";
import { guardrails, LA, Light, planned, limits, UNTOUCHED } from "../a-light";
import { begin, story } from "../a-story";
import { runsHere } from "../runs";

const MINUTE_MS = 60_000;
const HOURS_48 = 48 * 60 * MINUTE_MS;
const DARK = new Set(["curfew", "blackout", "closure", "hold_off"]);

/** A light that is asked at one instant after the other. */
class Resolving extends Light {
  #last: Resolved | null = null;

  override reconcile(): Resolved {
    this.#last = super.reconcile();
    return this.#last;
  }

  at(instant: number): Resolved {
    const until = this.#last === null ? this.now : this.#last.until;
    if (until !== null && until <= instant) this.goTo(instant);
    this.now = instant;
    return this.reconcile();
  }
}

test("a standing plan says at every minute of 48 hours what resolve says then", () => {
  // `HUNT=5000 npm test -- --project 'domain UTC' lamp-spans` tries more stories.
  fc.assert(
    fc.property(story, (told) => {
      const light = begin(told, (...how) => new Resolving(...how));
      const from = light.now;
      const to = from + HOURS_48;
      const outlook = { schedules: planned(light.plans), instants: light.instants, limits: light.limits };
      const spans = lampSpans(outlook, from, to);
      const wrong: string[] = [];
      for (let at = from; at < to; at += MINUTE_MS) {
        const { state, reason } = light.at(at);
        const isOn = state === "on";
        const isSaid =
          spans.on.some((span) => isIn(span, at)) === isOn &&
          (litUntil(spans, at) !== null) === isOn &&
          spans.dark.some((span) => isIn(span, at)) === DARK.has(reason.kind);
        if (!isSaid) wrong.push(`${new Date(at).toISOString()} ${state} ${reason.kind}`);
      }
      expect(wrong, JSON.stringify(spans)).toEqual([]);
    }),
    { numRuns: Number(process.env.HUNT ?? runsHere(15)) },
  );
});

test("no span is longer than the longest time on, and spans come in their order", () => {
  fc.assert(
    fc.property(story, (told) => {
      const light = begin(told, (...how) => new Light(...how));
      const outlook = { schedules: planned(light.plans), instants: light.instants, limits: light.limits };
      const { on, dark, max_on_ms } = lampSpans(outlook, light.now, light.now + HOURS_48);
      for (const [from, to] of on) expect(to - from).toBeLessThanOrEqual(max_on_ms ?? Infinity);
      for (const spans of [on, dark])
        for (const [n, [from, to]] of spans.entries()) {
          expect(from).toBeLessThan(to);
          expect(from).toBeGreaterThanOrEqual(spans[n - 1]?.[1] ?? light.now);
        }
      // One that begins by the sun may begin before it was made, and its count with its making.
      const isBySun = told.plans.some(({ start_sun }) => start_sun !== null);
      const { permits, rules } = light;
      if (!isBySun && permits.length === 0 && told.press !== "emergency" && rules.MAX_ON_DURATION_MIN > 0)
        expect(max_on_ms).toBe(rules.MAX_ON_DURATION_MIN * MINUTE_MS);
    }),
    { numRuns: runsHere(200) },
  );
});

test("one span ends and another begins where the next booking would light the lamp again", () => {
  const plans = {
    match: { start_at: "2026-07-02T01:00:00.000Z", end_at: "2026-07-02T03:00:00.000Z", rrule: null, timezone: LA },
    training: { start_at: "2026-07-02T03:00:00.000Z", end_at: "2026-07-02T05:00:00.000Z", rrule: null, timezone: LA },
  } as const;
  const now = Date.parse("2026-07-02T00:00:00.000Z");
  const outlook = { schedules: planned(plans), instants: UNTOUCHED, limits: limits(guardrails()) };
  const spans = lampSpans(outlook, now, now + HOURS_48);
  const hour = (n: number) => now + n * 60 * MINUTE_MS;
  expect(spans.on).toEqual([
    [hour(1), hour(3)],
    [hour(3), hour(5)],
  ]);
  expect(litUntil(spans, hour(2))).toBe(hour(5));
  expect(litUntil(spans, hour(5))).toBeNull();
});
