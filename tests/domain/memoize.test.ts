import { expect, test } from "vitest";
import { memoize } from "#domain/memoize";

/** A memo that counts how often it computes an answer. */
function counted(kept: number) {
  const memo = memoize<number, string>(kept);
  let made = 0;
  return {
    ask: (key: number): string =>
      memo(key, () => {
        made += 1;
        return `answer ${key}`;
      }),
    made: () => made,
  };
}

function askAll(memo: ReturnType<typeof counted>, keys: number): number {
  const before = memo.made();
  for (let key = 0; key < keys; key += 1) expect(memo.ask(key)).toBe(`answer ${key}`);
  return memo.made() - before;
}

test("computes each answer once while all of them fit", () => {
  const memo = counted(100);
  expect([askAll(memo, 100), askAll(memo, 100), askAll(memo, 100)]).toEqual([100, 0, 0]);
});

test("still answers most keys from memory when a few more are used than fit", () => {
  const memo = counted(500);
  askAll(memo, 520);
  for (let round = 0; round < 20; round += 1) expect(askAll(memo, 520)).toBeLessThan(100);
});

test("never holds more answers than its limit", () => {
  const memo = counted(50);
  for (let round = 0; round < 5; round += 1) askAll(memo, 200);
  const before = memo.made();
  askAll(memo, 200);
  expect(memo.made() - before).toBeGreaterThanOrEqual(150);
});

test("holds the newest answer", () => {
  const memo = counted(3);
  for (let key = 0; key < 50; key += 1) {
    memo.ask(key);
    const made = memo.made();
    memo.ask(key);
    expect(memo.made()).toBe(made);
  }
});
