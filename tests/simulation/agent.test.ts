import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { aCity } from "#tests/support/a-city";
import { assignAgent } from "#tests/support/an-agent";
import { inWorld } from "#tests/support/engine";
import { AgentLife } from "./agent/life";

const { seeds, days, lights } = env.SIMULATION.parks;
const DAY_MS = 86_400_000;

test.each(seeds)("seed %i: a park behind an agent whose line is cut", { timeout: 86_400_000 }, async (seed) => {
  const org_id = `park${seed}`;
  const city = await aCity(org_id, "local", 2, lights);
  const agent_id = await assignAgent(org_id);
  await inWorld(
    org_id,
    seed % 2 === 0 ? "2026-03-06T09:00:00.000Z" : "2026-10-30T08:00:00.000Z",
    async (world) => {
      const life = new AgentLife(world, agent_id, city.lamps, seed);
      try {
        await life.begin();
        await life.live(days);
      } catch (error) {
        console.log(`seed ${seed} objects: ${String(error)}`);
        throw error;
      }
      const { steps, cuts, cut_ms, site } = life;
      const share = Math.round((100 * cut_ms) / (days * DAY_MS));
      console.log(
        `seed ${seed}: ${days} days of ${lights} lights, ${steps} steps, ${cuts} cuts (${share} % of the time), ${site.entries} entries`,
      );
      expect(site.entries).toBeGreaterThan(0);
    },
    city.equip,
    { journal: true },
  );
});
