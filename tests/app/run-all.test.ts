import { expect, test } from "vitest";
import { runAll } from "#app/selection/run-all";

/** Work that lasts until `end` is called. */
function aBench() {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const work = (item: number) => {
    begun.push(item);
    return new Promise<void>((done) => ends.set(item, done));
  };
  const end = async (item: number) => {
    ends.get(item)?.();
    await new Promise((next) => setTimeout(next));
  };
  return { begun, work, end };
}

test("runs a limited number at a time, in order, and the next as soon as one is done", async () => {
  const { begun, work, end } = aBench();
  const all = runAll([1, 2, 3, 4], 2, () => true, work);
  expect(begun).toEqual([1, 2]);
  await end(2);
  expect(begun).toEqual([1, 2, 3]);
  await end(1);
  await end(3);
  await end(4);
  await all;
  expect(begun).toEqual([1, 2, 3, 4]);
});

test("finishes what is under way after a stop and starts nothing else", async () => {
  const { begun, work, end } = aBench();
  let goesOn = true;
  let isOver = false;
  const all = runAll([1, 2, 3, 4], 2, () => goesOn, work).then(() => (isOver = true));
  goesOn = false;
  await end(1);
  expect([begun, isOver]).toEqual([[1, 2], false]);
  await end(2);
  await all;
  expect(begun).toEqual([1, 2]);
});

test("resolves at once without items", async () => {
  await expect(runAll([], 6, () => true, Promise.reject)).resolves.toBeUndefined();
});
