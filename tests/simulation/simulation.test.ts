import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { say } from "#tests/support/say";
import { sql } from "#tests/support/light";
import { lived, sentenceOf } from "./lives/lived";

const { seeds, days, lights } = env.SIMULATION;

test.each(seeds)("seed %i: a city's life, with everything that breaks in it", { timeout: 86_400_000 }, async (seed) => {
  const life = { seed, days, lights };
  const told = await lived(`life${seed}`, life);
  expect(told.events).toBeGreaterThan(0);
  say(sentenceOf(life, told));
});

test("the same seed lives the same life", { timeout: 600_000 }, async () => {
  const life = { seed: 77, days: 3, lights };
  const first = await lived("twin", life);
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
  expect(await lived("twin", life)).toEqual(first);
});
