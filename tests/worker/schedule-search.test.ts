import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { at, servicesOf } from "../support/api";
import { seedCity } from "../support/city";

const run = (statement: string, ...values: unknown[]) =>
  env.DB.prepare(statement)
    .bind(...values)
    .run();

beforeAll(async () => {
  await seedCity();
  await run("INSERT INTO areas (id, org_id, name, type) VALUES ('large', 'city', 'Large', 'park')");
  await run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
     INSERT INTO devices (id, org_id, area_id, name) SELECT 'large-' || i, 'city', 'large', ? || i FROM n`,
    `Mast ${"光".repeat(110)}`,
  );
  await run(
    `INSERT INTO schedules (id, org_id, area_id, title, start_at, end_at, timezone)
     VALUES ('evening', 'city', 'large', 'Evening', ?, ?, 'UTC')`,
    at(1),
    at(2),
  );
});

const foundBy = async (q: string) => {
  const [page, found] = await Promise.all([
    servicesOf("admin").schedules.page({ q, area: "large" }),
    servicesOf("admin").search.hits({ q }),
  ]);
  const hits = found.filter(({ id }) => id === "evening").map(({ id }) => id);
  return [page.rows.map(({ id }) => id), hits];
};

test("a schedule of thousands of lights with the longest names is found by its title, and by each of its lights", async () => {
  expect(await foundBy("evening")).toEqual([["evening"], ["evening"]]);
  expect(await foundBy("光9000 evening")).toEqual([["evening"], ["evening"]]);
  expect(await foundBy("mast large")).toEqual([["evening"], ["evening"]]);
  expect(await foundBy("nowhere")).toEqual([[], []]);
});
