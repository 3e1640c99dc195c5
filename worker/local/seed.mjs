import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

/** The one module written in TypeScript that runs here, outside of the worker; vite reads it. */
const { module: seed } = await runnerImport(fileURLToPath(new URL("../../db/seed/local.ts", import.meta.url)), {
  configFile: false,
  root: dirname(dirname(dirname(fileURLToPath(import.meta.url)))),
  logLevel: "error",
});

/** Makes the demo city in an empty database; answers whether it did. */
export const seedIfEmpty = (d1) => seed.seedIfEmpty(d1);
export const demoAccounts = (d1) => seed.demoAccountsIn(d1);
