import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { say } from "#tests/support/say";
import { aCity } from "#tests/support/a-city";
import { assignAgent } from "#tests/support/an-agent";
import { inWorld } from "#tests/support/engine";
import { AgentLife } from "./agent/life";
import { Life } from "./lives/life";
import { leaveTraces } from "./lives/next-release";
import { Lamps } from "./world/lamps";

const { seeds, days, lights } = env.SIMULATION.parks;
const FOREVER = { timeout: 86_400_000 };

test.each(seeds)("seed %i: a city whose release is taken back with lights on", FOREVER, async (seed) => {
  const lamps = new Lamps();
  await inWorld(
    `back${seed}`,
    "2026-06-10T12:00:00.000Z",
    async (world) => {
      const life = new Life(world, lamps, seed, lights);
      let taken_back = 0;
      const { died } = world.watch;
      world.watch.died = () => {
        died();
        leaveTraces(world);
        taken_back += 1;
      };
      try {
        await life.begin();
        await life.live(days);
      } catch (error) {
        say(`seed ${seed} objects: ${String(error)}`);
        throw error;
      }
      const { steps } = life.town;
      say(`seed ${seed}: ${days} days of ${lights} lights, ${steps} steps, taken back ${taken_back} times`);
      expect(taken_back).toBeGreaterThan(0);
      const waits = world.storage.sql.exec("SELECT DISTINCT set_aside FROM outbox WHERE kind = 'next_kind'").toArray();
      expect(waits).toEqual([{ set_aside: "for another release" }]);
    },
    (...ports) => lamps.equip(...ports),
    { journal: true },
  );
});

test.each(seeds)("seed %i: a park that is cut off while its city is upgraded", FOREVER, async (seed) => {
  const org_id = `upgraded${seed}`;
  const city = await aCity(org_id, "local", 2, lights);
  const agent_id = await assignAgent(org_id);
  await inWorld(
    org_id,
    "2026-06-10T12:00:00.000Z",
    async (world) => {
      const life = new AgentLife(world, agent_id, city.lamps, seed, { upgraded: () => leaveTraces(world) });
      try {
        await life.begin();
        await life.live(days);
      } catch (error) {
        say(`seed ${seed} objects: ${String(error)}`);
        throw error;
      }
      const { steps, cuts, site } = life;
      say(
        `seed ${seed}: ${days} days of ${lights} lights, ${steps} steps, ${cuts} cuts with an upgrade in each, ${site.entries} entries`,
      );
      expect(site.entries).toBeGreaterThan(0);
    },
    city.equip,
    { journal: true },
  );
});
