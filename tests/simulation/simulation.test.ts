import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { inWorld } from "#tests/support/engine";
import { sql } from "#tests/support/light";
import { Lamps } from "./world/lamps";
import { VendorLamps } from "./world/vendor";
import { Life } from "./lives/life";

const { seeds, days, lights } = env.SIMULATION;

/** Both changes of the clock are lived through: half of the lives begin before the one, half before the other. */
const BEGINNINGS = ["2026-10-30T08:00:00.000Z", "2026-03-06T09:00:00.000Z"];

const MODES = ["cloud", "local", "hybrid"] as const;

type Lived = { steps: number; calls: number; events: number; digest: number; reasons: string };

/** Every fourth life is lived on the vendor's hardware, by each way to reach it. */
function lampsOf(seed: number): Lamps {
  const mode = MODES[(seed / 4) % MODES.length];
  return mode === undefined ? new Lamps() : new VendorLamps(mode);
}

async function lived(seed: number, name: string, days: number): Promise<Lived> {
  const lamps = lampsOf(seed);
  const beginning = BEGINNINGS[seed % 2] ?? "";
  let told: Lived | null = null;
  await inWorld(
    name,
    beginning,
    async (world) => {
      // In a big city the readings of one wake-up would add up to more than a change may wait.
      if (lights <= 40) world.reading_ms = seed % 3;
      const life = new Life(world, lamps, seed, lights);
      try {
        await life.begin();
        await life.live(days);
      } catch (error) {
        // The runner tells of failures at its end, and a hunt is long.
        console.log(`seed ${seed} objects: ${String(error)}`);
        throw error;
      }
      const { oracle, steps } = life.town;
      const { calls, trace, reasons } = oracle.desk;
      told = { steps, calls, events: oracle.ledger.told.count, digest: trace.digest, reasons: `${reasons}` };
    },
    (...ports) => lamps.equip(...ports),
    { journal: true },
  );
  if (told === null) throw new Error("nothing was lived");
  return told;
}

test.each(seeds)("seed %i: a city's life, with everything that breaks in it", { timeout: 86_400_000 }, async (seed) => {
  const { steps, calls, events, reasons } = await lived(seed, `life${seed}`, days);
  expect(events).toBeGreaterThan(0);
  console.log(
    `seed ${seed}: ${days} days of ${lights} lights, ${steps} steps, ${calls} calls, ${events} events; ${reasons}`,
  );
});

test("the same seed lives the same life", { timeout: 600_000 }, async () => {
  const first = await lived(77, "twin", 3);
  const tables = [
    "organizations",
    "changes",
    "scheduler_events",
    "device_events",
    "notifications",
    "connectivity_logs",
  ];
  await env.DB.batch(
    tables.map((table) => sql(`DELETE FROM ${table} WHERE ${table === "organizations" ? "id" : "org_id"} = ?`, "twin")),
  );
  expect(await lived(77, "twin", 3)).toEqual(first);
});
