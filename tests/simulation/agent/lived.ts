import { aCity } from "#tests/support/a-city";
import { assignAgent } from "#tests/support/an-agent";
import { inWorld } from "#tests/support/engine";
import type { Plan } from "#tests/simulation/lives/lived";
import { AgentLife } from "./life";

const DAY_MS = 86_400_000;
/** Both changes of the clock are lived through. */
const BEGINNINGS = ["2026-03-06T09:00:00.000Z", "2026-10-30T08:00:00.000Z"];

/** Lives in a park behind an agent whose line is cut; a sentence of what was lived, or throws the oracle's objection. */
export async function parkLived({ seed, days, lights }: Plan): Promise<string> {
  const org_id = `park${seed}`;
  const city = await aCity(org_id, "local", 2, lights);
  const agent_id = await assignAgent(org_id);
  let told = "";
  await inWorld(
    org_id,
    BEGINNINGS[seed % 2] ?? "",
    async (world) => {
      const life = new AgentLife(world, agent_id, city.lamps, seed);
      await life.begin();
      await life.live(days);
      const { steps, cuts, cut_ms, site, lamps } = life;
      if (site.entries === 0) throw new Error("the agent did nothing alone");
      const share = Math.round((100 * cut_ms) / (days * DAY_MS));
      told = `seed ${seed}: ${days} days of ${lights} lights, ${steps} steps, ${cuts} cuts (${share} % of the time), ${site.entries} entries, digest ${lamps.digest}`;
    },
    city.equip,
    { journal: true },
  );
  return told;
}
