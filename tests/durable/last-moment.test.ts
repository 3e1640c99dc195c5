import { expect, test } from "vitest";
import { aCity } from "#tests/support/a-city";
import { inWorld, type World } from "#tests/support/engine";
import { aSchedule, setting } from "#tests/support/light";
import type { Simulator } from "#tests/yolink/simulator";

/** What a provider has to do first, before an ON can leave, takes its time: the curfew does not wait for it. */

const CURFEW = Date.parse("2026-06-10T18:00:00Z");
const iso = (at: number) => new Date(at).toISOString();

/** How long before the curfew (ms) each ON arrived at a door of the simulator. */
function arrivals(world: World, simulator: Simulator): number[] {
  const seen: number[] = [];
  const ask = simulator.ask.bind(simulator);
  simulator.ask = (door, asked) => {
    const { method, params } = asked.body.startsWith("{") ? JSON.parse(asked.body) : {};
    if (method === "Switch.setState" && params.state === "open") seen.push(CURFEW - world.now);
    return ask(door, asked);
  };
  return seen;
}

test.each([
  ["cloud", "a token that is fetched first"],
  ["hybrid", "the fallback to the cloud from a silent hub"],
])("in %s mode %s lets no ON arrive after the curfew", async (mode) => {
  let came = 0;
  let kept = 0;
  for (const before_ms of [500, 1_000, 2_000, 4_000, 9_000]) {
    const org = `lm-${mode}-${before_ms}`;
    const city = await aCity(org, mode, 1, 1);
    const [lamp = ""] = city.lamps;
    await setting(org, "HARD_CURFEW_OFF", "18:00").run();
    await aSchedule(org, `${org}1`, iso(CURFEW - before_ms), iso(CURFEW + 3_600_000), { device: lamp });
    await inWorld(
      org,
      "2026-06-10T12:00:00Z", // the tokens of then have long expired
      async (world) => {
        await world.sync();
        city.simulator.fault("cloud", { kind: "slow", ms: 1_400 });
        city.simulator.fault(`${org}-hub0`, { kind: "silent" });
        const seen = arrivals(world, city.simulator);
        await world.to(CURFEW + 600_000);
        expect(
          seen.filter((left_ms) => left_ms < 0),
          `asked ${before_ms} ms before the curfew`,
        ).toEqual([]);
        expect(city.isLit(lamp)).toBe(false);
        if (seen.length > 0) came += 1;
        else kept += 1;
      },
      city.equip,
    );
  }
  expect(came, "came in time").toBeGreaterThan(0);
  expect(kept, "were kept back").toBeGreaterThan(0);
});
