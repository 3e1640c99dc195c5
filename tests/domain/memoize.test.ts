import { expect, test } from "vitest";
import { remembered } from "#domain/memoize";

test("what is asked again is not made again, until the memo is full", () => {
  const memo = new Map<string, number>();
  let made = 0;
  const ask = (key: string) => remembered(memo, key, 2, () => (made += 1));
  expect([ask("a"), ask("b"), ask("a"), ask("b")]).toEqual([1, 2, 1, 2]);
  expect(ask("c")).toBe(3);
  expect(memo.size).toBe(1);
  expect([ask("c"), ask("a"), ask("c")]).toEqual([3, 4, 3]);
});
