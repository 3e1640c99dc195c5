import { join, resolve } from "node:path";
import { Log, LogLevel } from "miniflare";

/**
 * The worker as a deployment has it, built if it is not, for Miniflare: its modules, the first of them being its entry,
 * and what wrangler.toml and .dev.vars bind to it.
 */
export async function builtWorker() {
  const { buildWorker } = await import("./build.mjs");
  await buildWorker();
  const { unstable_getMiniflareWorkerOptions } = await import("wrangler");
  const { workerOptions } = unstable_getMiniflareWorkerOptions("wrangler.toml");
  const modulesRoot = resolve("build/worker");
  const modules = [{ type: "ESModule", path: join(modulesRoot, "index.js") }];
  return { ...workerOptions, name: "lamplighter", modulesRoot, modules };
}

/** What Miniflare needs to run a worker on the state in `state_dir`; `log(level, line)` gets what the worker writes. */
export function runtimeOptions({ port, state_dir, worker, log }) {
  return {
    host: "127.0.0.1",
    port,
    cf: false, // where Cloudflare would say a request comes from; it would be fetched
    log: new Log(LogLevel.WARN),
    handleStructuredLogs: ({ level, message }) => log(level, message),
    defaultPersistRoot: join(state_dir, "v3"),
    workers: [worker],
  };
}
