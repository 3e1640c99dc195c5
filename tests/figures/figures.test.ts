import { expect, test } from "vitest";
import { citations, cites } from "#tests/figures/citations";
import { arrows, circles, upward } from "#tests/figures/imports";
import { sizesOf } from "#tests/figures/sizes";
import { code, texts } from "#tests/figures/sources";

test("a comment that cites a paper from outside the tree is found, one that cites the tree's own is not", () => {
  for (const line of [
    "(decision 7)",
    "design 3, Commands",
    "scenario 28",
    "Spec 5, 7",
    "see ../shared/x",
    "yolink.md 4.1",
  ]) {
    expect(cites(line), line).toBe(true);
  }
  for (const line of ["durable/DECISIONS.md#12", "two steps 1 s apart", "a specification", "decides on 3 lamps"]) {
    expect(cites(line), line).toBe(false);
  }
});

test("no text of the product or its tests cites a paper from outside the repository", () => {
  expect(citations(texts())).toEqual([]);
});

test("import circles are found, by whatever length, and imports that point at a higher floor", () => {
  const arrow = (from: string, to: string) => ({ from, to });
  const ring = [arrow("db/a.ts", "db/b.ts"), arrow("db/b.ts", "db/c.ts"), arrow("db/c.ts", "db/a.ts")];
  expect(circles([...ring, arrow("worker/d.ts", "db/a.ts")])).toEqual([["db/a.ts", "db/b.ts", "db/c.ts"]]);
  const up = arrow("db/a.ts", "worker/d.ts");
  expect(upward([up, arrow("worker/d.ts", "db/a.ts"), arrow("db/a.ts", "app/domain/e.ts")])).toEqual([up]);
});

test("no files import each other in a circle, and none imports from a higher floor, types included", () => {
  const all = arrows(code());
  expect(circles(all)).toEqual([]);
  expect(upward(all)).toEqual([]);
});

test("functions are measured by their own lines and depth, not by those of the functions inside", () => {
  const text = [
    "function f(x) {",
    "  if (x) {",
    "    for (;;) g(() => { while (x) {} });",
    "  } else if (!x) return;",
    "}",
  ];
  const { function_lines, nesting, comments } = sizesOf([{ path: "f.ts", text: ["// why", ...text, ""].join("\n") }]);
  expect([function_lines.max, nesting.max, comments]).toEqual([5, 2, 1 / 6]);
});

test("no text has the marks of a merge, the front page is one, and decisions are numbered in their order", () => {
  const all = texts();
  expect(all.filter(({ text }) => /^(<{7} |>{7} )/m.test(text)).map(({ path }) => path)).toEqual([]);
  const front = all.find(({ path }) => path === "README.md");
  expect(front?.text.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  const decisions = all.filter(({ path }) => path.endsWith("DECISIONS.md"));
  expect(decisions).toHaveLength(4);
  for (const { path, text } of decisions) {
    const numbers = [...text.matchAll(/^## (\d+)\. /gm)].map(([, n]) => Number(n));
    expect(numbers, path).toEqual(numbers.map((_, place) => place + 1));
  }
});
