import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { tryLockFolder } from "./lock.mjs";
import { UserError } from "./user-error.mjs";

/**
 * Creates the tables and the demo city in the state of `wrangler dev` before it bundles, once; later builds have nothing
 * left to do. Throws a UserError if `npm start` is using that state.
 */
export async function prepareForWranglerDev(state_dir = resolve(".wrangler/state")) {
  if (process.env.STATE_IS_READY) return; // start.mjs did it, maybe for another state
  const release = await tryLockFolder(state_dir);
  if (release === null) {
    throw new UserError(
      `Another copy is using ${state_dir}. Stop it, or give it a state of its own: STATE_DIR=... npm start`,
    );
  }
  try {
    const record = join(state_dir, ".prepared");
    const migrations = (await readdir("db/migrations")).filter((name) => name.endsWith(".sql")).join("\n");
    if ((await readFile(record, "utf8").catch(() => "")) === migrations) return;
    const { withTables } = await import("./database.mjs");
    const { demoCity } = await import("./demo-city.mjs");
    await withTables(state_dir, (d1) => demoCity(d1));
    await writeFile(record, migrations);
  } finally {
    release();
  }
}
