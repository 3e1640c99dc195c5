import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { inWorld } from "#tests/support/engine";
import { sql } from "#tests/support/light";
import { Life } from "./life";

const SEEDS = env.SIMULATION.seeds;
const DAYS = env.SIMULATION.days;
const LIGHTS = env.SIMULATION.lights;

/** Both changes of the clock are lived through: half of the lives begin before the one, half before the other. */
const BEGINNINGS = ["2026-10-30T08:00:00.000Z", "2026-03-06T09:00:00.000Z"];

async function lived(
  seed: number,
  name: string,
  days: number,
): Promise<{ log: string[]; steps: number; calls: number }> {
  let steps = 0;
  let calls = 0;
  await inWorld(name, BEGINNINGS[seed % 2] ?? "", async (world) => {
    const life = new Life(world, seed, LIGHTS);
    await life.begin();
    await life.live(days);
    ({ steps } = life);
    ({ calls } = life.oracle);
  });
  const { results } = await sql(
    "SELECT ts || ' ' || replace(device_id, ?1, '') || ' ' || source || ' ' || action || ' ' || result || ' ' || attempts || ' ' || note AS line FROM scheduler_events WHERE org_id = ?1 ORDER BY ts, 1",
    name,
  ).all<{ line: string }>();
  return { log: results.map(({ line }) => line.replaceAll(name, "")), steps, calls };
}

test.each(SEEDS)("seed %i: a city's life, with everything that breaks in it", { timeout: 3_600_000 }, async (seed) => {
  const { log, steps, calls } = await lived(seed, `life${seed}`, DAYS);
  expect(log.length).toBeGreaterThan(0);
  console.log(`seed ${seed}: ${DAYS} days of ${LIGHTS} lights, ${steps} steps, ${calls} calls, ${log.length} events`);
});

test("the same seed lives the same life", { timeout: 600_000 }, async () => {
  const first = await lived(77, "twin-a", 2);
  const second = await lived(77, "twin-b", 2);
  expect(second.log).toEqual(first.log);
});
