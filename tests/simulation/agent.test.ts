import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { say } from "#tests/support/say";
import { parkLived } from "./agent/lived";

const { seeds, days, lights } = env.SIMULATION.parks;

test.each(seeds)("seed %i: a park behind an agent whose line is cut", { timeout: 86_400_000 }, async (seed) => {
  const told = await parkLived({ seed, days, lights });
  expect(told).toMatch(/ entries, digest /);
  say(told);
});
