import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { tryLock } from "./lock.mjs";
import { UserError } from "./user-error.mjs";

const STATE = resolve(".wrangler/state");
/** Which migrations the state was prepared with. */
const RECORD = join(STATE, ".prepared");

/**
 * Before `wrangler dev` bundles: the tables and the demo city in its own state, once. It builds again after every change,
 * while the server runs: then there is nothing left to do. Throws a UserError where `npm start` is using that state.
 */
export async function prepareForWranglerDev() {
  if (process.env.STATE_IS_READY) return; // by start.mjs, whose state may be another
  const release = await tryLock(STATE);
  if (release === null) {
    throw new UserError(
      `Another copy is using ${STATE}. Stop it, or give it a state of its own: STATE_DIR=... npm start`,
    );
  }
  try {
    const migrations = (await readdir("db/migrations")).filter((name) => name.endsWith(".sql")).join("\n");
    if ((await readFile(RECORD, "utf8").catch(() => "")) === migrations) return;
    const { migrate, withDatabase } = await import("./database.mjs");
    const { load } = await import("./typescript.mjs");
    const { seedIfEmpty } = await load("worker/local/seed.ts");
    await migrate(STATE);
    await withDatabase(STATE, (d1) => seedIfEmpty(d1));
    await writeFile(RECORD, migrations);
  } finally {
    release();
  }
}
