import { resolve } from "node:path";

/** Loads one of our TypeScript modules in a script that runs beside the worker. */
export async function load(path) {
  const { runnerImport } = await import("vite"); // here, because a script that only refuses needs none
  const { module } = await runnerImport(resolve(path), { configFile: false, logLevel: "error" });
  return module;
}
