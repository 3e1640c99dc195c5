import { resolve } from "node:path";
import { runnerImport } from "vite";

/** A TypeScript module of the house, for the scripts that run beside the worker. */
export async function load(path) {
  const { module } = await runnerImport(resolve(path), { configFile: false, logLevel: "error" });
  return module;
}
