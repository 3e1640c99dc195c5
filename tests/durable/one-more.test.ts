import { expect, test } from "vitest";
import { idle, runOneMore } from "#durable/state/one-more";

test("whoever asks in the moment in which a run ends shares the one more that waits: no two runs at once", async () => {
  const state = idle();
  let running = 0;
  const together: number[] = [];
  const work = async () => {
    running += 1;
    together.push(running);
    await scheduler.wait(0);
    running -= 1;
  };
  const first = runOneMore(state, work);
  const waiting = runOneMore(state, work);
  await first;
  await Promise.all([waiting, runOneMore(state, work)]);
  expect(together).toEqual([1, 1]);
});

test("where a run fails the one more follows all the same, and a later one begins at once", async () => {
  const state = idle();
  let runs = 0;
  const work = async () => {
    runs += 1;
    await scheduler.wait(0);
    if (runs === 1) throw new Error("D1 does not answer");
  };
  const first = runOneMore(state, work);
  const waiting = runOneMore(state, work);
  await expect(first).rejects.toThrow("D1 does not answer");
  await waiting;
  await runOneMore(state, work);
  expect(runs).toBe(3);
});
