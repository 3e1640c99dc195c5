import { readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { makeScratch } from "../../support/scratch.mjs";

const MIGRATIONS = "db/migrations";

/**
 * The engine, the world and the oracle as one module in a workerd of their own: a test runner looks each imported name up at
 * each use, which costs a life half of its time.
 */
export async function startRuntime() {
  const { outputFiles } = await build({
    entryPoints: ["tests/simulation/alone/worker.ts"],
    bundle: true,
    write: false,
    format: "esm",
    target: "esnext",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:workers", "node:*"],
    alias: { "cloudflare:test": resolve("tests/simulation/alone/objects.ts") },
    logLevel: "error",
  });
  const folder = await makeScratch();
  const runtime = new Miniflare({
    modules: true,
    script: outputFiles[0].text,
    compatibilityDate: "2026-04-20",
    compatibilityFlags: ["nodejs_compat"],
    d1Databases: ["DB"],
    d1Persist: join(folder, "d1"),
    durableObjects: { SCHEDULER: { className: "Scheduler", useSQLite: true } },
    durableObjectsPersist: join(folder, "objects"),
  });
  const end = async () => {
    await runtime.dispose();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await migrate(await runtime.getD1Database("DB"));
  } catch (error) {
    await end();
    throw error;
  }
  return { live: (life) => live(runtime, life), end };
}

/** Lives one life; answers a sentence of what was lived, or throws the objection. */
async function live(runtime, life) {
  const answer = await runtime.dispatchFetch("http://lives/", { method: "POST", body: JSON.stringify(life) });
  const text = await answer.text();
  if (!answer.ok) throw Object.assign(new Error(text), { isObjection: true });
  return text;
}

async function migrate(database) {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith(".sql")).toSorted();
  for (const file of files) {
    const statements = (await readFile(join(MIGRATIONS, file), "utf8")).split("--> statement-breakpoint");
    await database.batch(statements.filter((text) => text.trim() !== "").map((text) => database.prepare(text)));
  }
}
