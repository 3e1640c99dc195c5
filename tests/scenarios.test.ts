import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The list of what a light scheduler must get right has so many entries; each is named by the tests that own it. */
const SCENARIOS = 43;

test("every scenario is owned by a test that names its number", () => {
  const owners = ["tests/domain", "tests/durable"].flatMap(titlesOf).flatMap(scenariosOf);
  const missing = Array.from({ length: SCENARIOS }, (_, i) => i + 1).filter((n) => !owners.includes(n));
  expect(missing).toEqual([]);
});

function titlesOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".test.ts"))
    .flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(/^\s*(?:test\(|\]\)\()"([^"]+)"/gm)])
    .map((match) => match[1] ?? "");
}

/** '34: ...', 'scenario 31: ...' and '... (scenarios 14, 41)' name them. */
function scenariosOf(title: string): number[] {
  const listed = /^(\d+): |^scenario (\d+): |\(scenarios? ([\d, ]+)\)/.exec(title)?.slice(1);
  return (listed ?? []).flatMap((numbers) => (numbers ?? "").split(",").filter(Boolean).map(Number));
}
