import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { unstable_readConfig } from "wrangler";
import { runWrangler } from "./wrangler.mjs";

/**
 * Opens the local D1 of `state_dir` in this process and closes it after `work(d1)`. This does not wake the object. It works
 * beside a running server, but SQLite allows one write at a time, so either may have to wait.
 */
export async function withDatabase(state_dir, work, config = "wrangler.toml") {
  const { compatibility_date, d1_databases } = unstable_readConfig({ config }, { hideWarnings: true });
  const miniflare = new Miniflare({
    modules: true,
    script: "export default {}",
    compatibilityDate: compatibility_date,
    d1Databases: Object.fromEntries(d1_databases.map(({ binding, database_id }) => [binding, database_id])),
    defaultPersistRoot: join(state_dir, "v3"),
    cf: false,
  });
  try {
    return await work(await miniflare.getD1Database("DB"));
  } finally {
    await miniflare.dispose();
  }
}

/** Applies the missing migrations to `state_dir`. */
export async function migrate(state_dir) {
  const files = (await readdir("db/migrations")).filter((name) => name.endsWith(".sql"));
  const applied = await withDatabase(state_dir, appliedMigrations);
  if (files.every((name) => applied.includes(name))) return;

  const { code, output } = await runWrangler(["d1", "migrations", "apply", "DB", "--local", "--persist-to", state_dir]);
  if (code !== 0) throw new Error(output);
}

async function appliedMigrations(d1) {
  const table = await d1.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").first();
  if (table === null) return [];
  const { results } = await d1.prepare("SELECT name FROM d1_migrations").all();
  return results.map((row) => row.name);
}
