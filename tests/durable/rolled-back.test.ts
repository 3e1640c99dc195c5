import { expect, test } from "vitest";
import { transact } from "#durable/state/context";
import { putTimer, timerDueAt } from "#durable/state/timers";
import { inWorld } from "#tests/support/engine";
import { aField } from "#tests/support/light";

/** What a transaction leaves behind that the storage did not take. */

const at = (clock: string) => `2026-06-10T${clock}Z`;

test("a change whose commit fails leaves no alarm, and the next one sets it", async () => {
  await aField("undone");
  await inWorld("undone", at("17:00:00"), async (world) => {
    await world.sync();
    const { context } = world;
    const { storage } = context;
    const due_at = world.now + 500; // sooner than anything else
    const wake = () => transact(context, () => putTimer(context.sql, "wake", "undone-lamp", due_at));
    const before = world.alarm_at;
    context.storage = {
      ...storage,
      transactionSync: (change) =>
        storage.transactionSync(() => {
          change();
          throw new Error("the commit failed");
        }),
    };
    expect(wake).toThrow("the commit failed");
    context.storage = storage;
    expect(timerDueAt(context.sql, "wake", "undone-lamp")).toBeNull();
    expect(world.alarm_at).toBe(before);
    wake();
    expect(world.alarm_at).toBe(due_at);
  });
});
