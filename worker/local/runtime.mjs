import { join, resolve } from "node:path";
import { miniflare, wrangler } from "./tools.mjs";

/**
 * The worker as deployed, built if needed, for Miniflare: its modules, the entry first, and the bindings of wrangler.toml
 * and .dev.vars.
 */
export async function builtWorker() {
  const { buildWorker } = await import("./build.mjs");
  await buildWorker();
  const { workerOptions } = wrangler().unstable_getMiniflareWorkerOptions("wrangler.toml");
  const modulesRoot = resolve("build/worker");
  const modules = [{ type: "ESModule", path: join(modulesRoot, "index.js") }];
  return { ...workerOptions, name: "lamplighter", modulesRoot, modules };
}

/** Miniflare's options to run a worker on `state_dir`; `log(level, line)` gets what the worker logs. */
export function runtimeOptions({ port, state_dir, worker, log }) {
  const { Log, LogLevel } = miniflare();
  return {
    host: "127.0.0.1",
    port,
    cf: false, // Miniflare would fetch a request's location from Cloudflare
    log: new Log(LogLevel.WARN),
    handleStructuredLogs: ({ level, message }) => {
      // The runtime's note to its authors that an alarm had moved on before it rang: a reader would take it for a fault.
      if (message.startsWith("NOSENTRY ")) return;
      // The worker says it again at each sweep, for logs that are looked at now and then; `npm start` has said it in words.
      if (!message.includes('"event":"configuration.problem"')) log(level, message);
    },
    defaultPersistRoot: join(state_dir, "v3"),
    workers: [worker],
  };
}
