import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const text = readFileSync("worker/SECURITY-CHECKLIST.md", "utf8");
const rows = [...text.matchAll(/^\| (V[\d.]+) \| ([12]) \| (\S[^|]*) \| ([^|]+) \|$/gm)].map(
  ([, id = "", level = "", answer = "", why = ""]) => ({ id, level, answer, why }),
);

test("the security checklist answers each of the 253 requirements once, with a reason", () => {
  expect(rows).toHaveLength(253);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(253);
  expect(rows.filter(({ why }) => why.trim().length < 4)).toEqual([]);
  const answers = new Set(rows.map(({ answer }) => answer));
  expect([...answers].toSorted()).toEqual(["**open**", "holds", "not applicable"]);
});

test("no requirement of level 1 is open", () => {
  expect(rows.filter(({ level, answer }) => level === "1" && answer === "**open**")).toEqual([]);
});

test("the summary's counts are right", () => {
  for (const level of ["1", "2"]) {
    const count = (answer: string) => rows.filter((row) => row.level === level && row.answer === answer).length;
    expect(text).toContain(`| ${level} | ${count("holds")} | ${count("not applicable")} | ${count("**open**")} |`);
  }
});

test("every file that the checklist names exists", () => {
  const files = [...text.matchAll(/`((?:tests|worker|app|db|durable|\.github)\/[\w./-]+\.\w+)`/g)].map(
    ([, file]) => file,
  );
  expect(files.length).toBeGreaterThan(100);
  expect([...new Set(files)].filter((file) => !existsSync(file ?? ""))).toEqual([]);
});
