import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAULTS } from "./faults";

test("there are faults enough, and no two share a name", () => {
  expect(FAULTS.length).toBeGreaterThanOrEqual(25);
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
});

test.each(FAULTS)("$name: what it replaces stands there once", ({ file, find, replace }) => {
  expect(readFileSync(file, "utf8").split(find)).toHaveLength(2);
  expect(replace).not.toBe(find);
});
