import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Promised = { line: string; tests: { file: string; title: string }[] };

test("every promise of SCENARIOS.md names a test that exists", () => {
  const promises = promisesIn(readFileSync("tests/SCENARIOS.md", "utf8"));
  expect(promises.length).toBeGreaterThan(40);
  expect(promises.filter(({ tests }) => tests.length === 0).map(({ line }) => line)).toEqual([]);
  expect(promises.flatMap(({ tests }) => tests).filter(({ file, title }) => !hasTest(file, title))).toEqual([]);
});

test("a title counts only if a test has all of it", () => {
  expect(hasTest("tests/scenarios.test.ts", "every promise of SCENARIOS.md names a test that exists")).toBe(true);
  expect(hasTest("tests/scenarios.test.ts", "every promise of SCENARIOS.md")).toBe(false);
  expect(hasTest("tests/scenarios.test.ts", "utf8")).toBe(false);
  expect(hasTest("tests/nowhere.test.ts", "whatever")).toBe(false);
});

/** '- a promise', and below it '  - the file of a test: "its title"'. Any other list item is an error. */
function promisesIn(list: string): Promised[] {
  const promises: Promised[] = [];
  for (const line of list.split("\n").filter((text) => /^\s*-/.test(text))) {
    const [, file, title] = /^ {2}- (\S+): "(.+)"$/.exec(line) ?? [];
    const promise = promises.at(-1);
    if (file && title && promise) promise.tests.push({ file, title });
    else if (line.startsWith("- ")) promises.push({ line, tests: [] });
    else throw new Error(`neither a promise nor a test: ${line}`);
  }
  return promises;
}

/** Whether the file has a test of that title: `test("title"`, or the template that `test.each(...)(` is given. */
function hasTest(file: string, title: string): boolean {
  return titlesIn(file).includes(title);
}

function titlesIn(file: string): string[] {
  try {
    const text = readFileSync(file, "utf8");
    return [...text.matchAll(/(?:\btest|[\])}])\(\s*"((?:[^"\\]|\\.)+)",/g)].map((match) => match[1] ?? "");
  } catch {
    return [];
  }
}
