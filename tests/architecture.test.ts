import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** What the linter cannot say; what it can is in .oxlintrc.json. */
test("the domain has no clock of its own", () => {
  for (const file of filesOf("app/domain")) expect(readFileSync(file, "utf8"), file).not.toMatch(/new Date\(\s*\)/);
});

test("no folder is a drawer for everything", () => {
  const folders = ["app", "worker", "durable", "db", "tests"].flatMap((root) =>
    filesOf(root).map((file) => file.split("/").slice(0, -1)),
  );
  expect(folders.flat().filter((name) => /^(utils?|libs?|helpers?|common|misc|shared|types)$/.test(name))).toEqual([]);
});

function filesOf(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
