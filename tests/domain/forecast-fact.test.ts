import fc from "fast-check";
import { expect, test } from "vitest";
import { foresee } from "#domain/forecast/forecast";
import { segmentsOf } from "#domain/forecast/forecast-segments";
import type { Resolved } from "#domain/resolve/rungs";
import { LA, Light, planned } from "./a-light";
import { begin, DAYS, story } from "./a-story";
import { runsHere } from "./runs";

const DAY_MS = 86_400_000;

/** A light that notes each instant at which it goes on or off. */
class Watched extends Light {
  flips: [at: number, isLit: boolean][] = [];

  override reconcile(): Resolved {
    const was = this.isLit;
    const resolved = super.reconcile();
    if (this.isLit !== was) this.flips.push([this.now, this.isLit]);
    return resolved;
  }
}

test("a light switches exactly where the forecast of its beginning said", () => {
  // `HUNT=20000 npm test -- --project 'domain UTC' forecast-fact` tries more stories.
  fc.assert(
    fc.property(story, (told) => {
      const light = begin(told, (...how) => new Watched(...how));
      const end = light.now + DAYS * DAY_MS;
      const outlook = { schedules: planned(light.plans), instants: light.instants, limits: light.limits };
      const [first, ...rest] = segmentsOf(foresee(outlook, light.now, end), end, LA);
      expect(first?.state === "on").toBe(light.isLit);
      let isOn = light.isLit;
      const foretold: [number, boolean][] = [];
      for (const { from, state } of rest) {
        if ((state === "on") === isOn) continue;
        isOn = state === "on";
        foretold.push([from, isOn]);
      }
      light.flips = [];
      light.goTo(end - 1);
      expect(light.flips).toEqual(foretold);
    }),
    { numRuns: Number(process.env.HUNT ?? runsHere(100)) },
  );
});
