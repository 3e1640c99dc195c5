import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { inWorld } from "#tests/support/engine";
import { sql } from "#tests/support/light";
import { backUpWhole, beginAgain, type Yesterday } from "./lives/lost";
import { Life } from "./lives/life";
import { Chance } from "./world/prng";
import { Lamps } from "./world/lamps";

const { seeds, days, lights } = env.SIMULATION.parks;
const HOUR = 3_600_000;
const BEGINNING = "2026-10-30T08:00:00.000Z";

test.each(seeds)(
  "seed %i: a city that is lost begins again with its backup of yesterday",
  { timeout: 86_400_000 },
  async (seed) => {
    const name = `lost${seed}`;
    const lamps = new Lamps();
    const chance = new Chance(seed);
    const equip = (...ports: Parameters<Lamps["equip"]>) => lamps.equip(...ports);
    const lost: { yesterday: Yesterday; at: number }[] = [];
    await inWorld(
      name,
      BEGINNING,
      async (world) => {
        const life = new Life(world, lamps, seed, lights);
        await life.begin();
        await life.live(days);
        // During somebody's windows.
        while (![...life.town.oracle.desk.books.values()].some(({ want }) => want === "on")) await life.town.pass(HOUR);
        const yesterday = await backUpWhole(life.town);
        await life.town.pass(chance.int(22, 26) * HOUR);
        lost.push({ yesterday, at: world.now });
      },
      equip,
      { journal: true },
    );
    for (const { yesterday, at } of lost) {
      await inWorld(
        name,
        new Date(at).toISOString(),
        async (world) => {
          const life = new Life(world, lamps, seed + 1_000, lights);
          await beginAgain(life.town, yesterday);
          await life.town.pass(chance.int(1, 600) * 1_000);
          const { results } = await sql(
            "SELECT id FROM scheduler_events WHERE org_id = ? AND cause = 'missed' AND ts >= ?",
            name,
            new Date(at).toISOString(),
          ).all();
          expect(results).toEqual([]);
          await life.live(days);
        },
        equip,
        { journal: true },
      );
    }
    expect(lost).toHaveLength(1);
  },
);
