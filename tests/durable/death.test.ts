import { expect, test } from "vitest";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, events } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;
/** Enough to come to the end of the tick, its call, and what follows the answer. */
const STEPS = Array.from({ length: 30 }, (_, n) => n + 1);

test.each(STEPS)(
  "a process that dies %i steps into the end of a window has put the light out within a minute of its return",
  async (n) => {
    const org = `die${n}`;
    await aField(org);
    await aSchedule(org, `${org}-s`, at("18:00:00"), at("20:00:00"));
    await inWorld(org, at("17:00:00"), async (world) => {
      await world.sync();
      await world.to(at("19:59:59"));
      world.dieAfter(n, 60_000);
      await world.to(at("20:01:59"));
      expect(world.lamp(`${org}-lamp`)).toBe("off");
      await world.to(at("20:30:00"));
      const ends = (await events(org)).filter((line) => line.includes("off ok"));
      expect(ends).toHaveLength(1);
    });
  },
);
