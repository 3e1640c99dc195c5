import { spawn } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getPlatformProxy, unstable_readConfig } from "wrangler";

/**
 * Opens the local D1 of `state_dir` in this process and closes it again after `work(d1)`. The server may be running:
 * SQLite lets both in.
 */
export async function withDatabase(state_dir, work) {
  const { env, dispose } = await getPlatformProxy({
    configPath: await databaseConfig(state_dir),
    persist: { path: join(state_dir, "v3") },
    envFiles: [],
    remoteBindings: false,
  });
  try {
    return await work(env.DB);
  } finally {
    await dispose();
  }
}

/** Applies the migrations that `state_dir` lacks. */
export async function migrate(state_dir) {
  const files = (await readdir("db/migrations")).filter((name) => name.endsWith(".sql"));
  const applied = await withDatabase(state_dir, appliedMigrations);
  if (files.every((name) => applied.includes(name))) return;

  const args = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", state_dir];
  const child = spawn(process.execPath, ["node_modules/wrangler/bin/wrangler.js", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, CI: "1" }, // asks no questions
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise((done) => child.on("exit", done));
  if (code !== 0) throw new Error(output.trim());
}

async function appliedMigrations(d1) {
  const table = await d1.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").first();
  if (table === null) return [];
  const { results } = await d1.prepare("SELECT name FROM d1_migrations").all();
  return results.map((row) => row.name);
}

/** wrangler.toml with nothing but the database: the object is not to be woken by whoever looks at its tables. */
async function databaseConfig(state_dir) {
  const { name, compatibility_date, d1_databases } = unstable_readConfig({ config: "wrangler.toml" });
  const path = join(state_dir, "database.json");
  await mkdir(state_dir, { recursive: true });
  await writeFile(path, JSON.stringify({ name, compatibility_date, d1_databases }));
  return path;
}
