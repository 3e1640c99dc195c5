import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withDatabase } from "../../worker/local/database.mjs";
import { builtWorker } from "../../worker/local/runtime.mjs";
import { makeSecrets } from "../../worker/local/secrets.mjs";
import { load } from "../../worker/local/typescript.mjs";

/** Finds Chromium, and builds the worker and a state with the demo city, once, before the browser tests use them. */
export async function setup(project) {
  const { ensureChromium } = await load("tests/support/find-chromium.ts");
  await ensureChromium();
  await makeSecrets();
  const city = await mkdtemp(join(tmpdir(), "lamplighter-city-"));
  // Together: no test begins before both are done, not even one that needs neither.
  const [worker] = await Promise.all([builtWorker(), withDatabase(city, makeCity)]);
  project.provide("worker", worker);
  project.provide("city", city);
  return () => rm(city, { recursive: true, force: true });
}

async function makeCity(d1) {
  const [{ OFFSET_MS }, { migrateAtOnce }, { seedIfEmpty }, { PASSWORD }, { quickHash }] = await Promise.all(
    [
      "tests/support/clock.ts",
      "tests/support/migrate.ts",
      "worker/local/seed.ts",
      "db/seed/people.ts",
      "tests/support/quick-hash.ts",
    ].map(load),
  );
  await migrateAtOnce(d1);
  await seedIfEmpty(d1, Date.now() + OFFSET_MS);
  await d1.prepare("UPDATE users SET password_hash = ?").bind(quickHash(PASSWORD)).run();
}
