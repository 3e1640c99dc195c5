import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Plugin } from "vite";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { inWorkerd, SCREENS } from "../../vitest.config";

const ROOT = join(import.meta.dirname, "../..");
const LOOP = ["tests/mutation/loop.test.ts"];
const { MUTANTS = "", MUTANTS_URL = "" } = process.env;

export default defineConfig({
  root: ROOT,
  test: { projects: [inNode("domain"), inNode("providers"), durable()] },
});

function inNode(name: string): TestProjectConfiguration {
  return {
    plugins: [mutated()],
    resolve: SCREENS,
    test: {
      name,
      root: ROOT,
      include: LOOP,
      environment: "node",
      pool: "forks",
      env: { TZ: "UTC" },
      provide: { mutantsUrl: MUTANTS_URL, isInWorkerd: false },
    },
  };
}

function durable(): TestProjectConfiguration {
  const project = inWorkerd("durable", LOOP);
  return {
    ...project,
    plugins: [mutated(), ...(project.plugins ?? [])],
    test: { ...project.test, root: ROOT, provide: { mutantsUrl: MUTANTS_URL, isInWorkerd: true } },
  };
}

/** Files that have mutants are served with them; and the tests, which the loop starts itself, get a `test` that waits. */
function mutated(): Plugin {
  return {
    name: "mutated",
    enforce: "pre",
    resolveId(source, importer) {
      const isOfTests = /\/tests\/(domain|app|durable|providers|worker|simulation)\//.test(importer ?? "");
      return source === "vitest" && isOfTests ? join(import.meta.dirname, "collected.ts") : null;
    },
    load(id) {
      const file = join(MUTANTS, relative(ROOT, id.split("?")[0] ?? ""));
      return MUTANTS && existsSync(file) && file.endsWith(".ts") ? readFileSync(file, "utf8") : null;
    },
  };
}
