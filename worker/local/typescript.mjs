import { resolve } from "node:path";
import { runnerImport } from "vite";

/** Loads one of our TypeScript modules in a script that runs beside the worker. */
export async function load(path) {
  const { module } = await runnerImport(resolve(path), { configFile: false, logLevel: "error" });
  return module;
}
