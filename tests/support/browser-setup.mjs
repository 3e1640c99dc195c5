import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildScreens } from "../../worker/local/build.mjs";
import { migrate, withDatabase } from "../../worker/local/database.mjs";
import { load } from "../../worker/local/typescript.mjs";

/** Once, before the browser's tests, so that no server has to wait for it: the screens, and a state with the demo city. */
export async function setup(project) {
  await buildScreens();
  const city = await mkdtemp(join(tmpdir(), "lamplighter-city-"));
  await migrate(city);
  const { seedIfEmpty } = await load("worker/local/seed.ts");
  await withDatabase(city, seedIfEmpty);
  project.provide("city", city);
  return () => rm(city, { recursive: true, force: true });
}
