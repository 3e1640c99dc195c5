import { expect, test } from "vitest";
import { interval } from "./mutation/interval.mjs";

test.each([
  { found: 39, n: 40, low: 0.871, high: 0.996 },
  { found: 40, n: 40, low: 0.912, high: 1 },
  { found: 0, n: 40, low: 0, high: 0.088 },
  { found: 200, n: 400, low: 0.451, high: 0.549 },
])("of a sample of $n mutants of which $found are found the interval is a share", ({ found, n, low, high }) => {
  const [from, to] = interval(found, n);
  expect([from, to].map((share) => Number(share.toFixed(3)))).toEqual([low, high]);
  expect(from).toBeGreaterThanOrEqual(0);
  expect(to).toBeLessThanOrEqual(1);
});
