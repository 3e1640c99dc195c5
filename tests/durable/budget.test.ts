import { expect, test } from "vitest";
import { cloudBudget } from "#durable/providers/cloud-budget";
import { inWorld } from "#tests/support/engine";
import type { Priority } from "#durable/providers/provider";

const NOON = "2026-06-10T12:00:00Z";

/** Takes until it is refused; answers how many it got, and how long it would have to wait. */
function drain(acquire: () => { retry_after_ms: number } | null): [number, number] {
  for (let n = 0; ; n += 1) {
    const refused = acquire();
    if (refused) return [n, refused.retry_after_ms];
  }
}

test("each priority has its share of the account's calls, and what it leaves is there for those above it", async () => {
  await inWorld("budget-a", NOON, async (world) => {
    const budget = cloudBudget(world.storage.sql, () => world.now);
    const shares = (["poll", "verify", "person", "on", "off"] as const).map(
      (priority: Priority) => drain(() => budget.acquire("account", null, priority))[0],
    );
    // 40, 64, 74, 80 and 98 in all.
    expect(shares).toEqual([40, 24, 10, 6, 18]);
    expect(budget.acquire("account", null, "off")).toMatchObject({ limit: "account" });
    expect(budget.acquire("another", null, "poll")).toBeNull();
  });
});

test("a device has a budget of its own, and another device is not held by it", async () => {
  await inWorld("budget-b", NOON, async (world) => {
    const budget = cloudBudget(world.storage.sql, () => world.now);
    const shares = (["poll", "on", "off"] as const).map((priority: Priority) =>
      drain(() => budget.acquire("account", "lamp", priority)),
    );
    expect(shares).toEqual([
      [3, 65_001],
      [2, 65_001],
      [1, 65_001],
    ]);
    expect(budget.acquire("account", "lamp", "off")).toEqual({ limit: "device", retry_after_ms: 65_001 });
    expect(budget.acquire("account", "other", "poll")).toBeNull();
    world.now += 65_001;
    expect(budget.acquire("account", "lamp", "poll")).toBeNull();
  });
});

test("the window slides: a place is free again when the call that took it leaves the window", async () => {
  await inWorld("budget-c", NOON, async (world) => {
    const budget = cloudBudget(world.storage.sql, () => world.now);
    for (let n = 0; n < 40; n += 1) {
      expect(budget.acquire("account", null, "poll")).toBeNull();
      world.now += 1_000;
    }
    // The first was taken 40 s ago, the second 39 s ago; who comes second is booked into the second place.
    expect(budget.acquire("account", "a", "poll")).toEqual({ limit: "account", retry_after_ms: 270_001 });
    expect(budget.acquire("account", "b", "poll")).toEqual({ limit: "account", retry_after_ms: 271_001 });
    world.now += 270_001;
    expect(budget.acquire("account", "a", "poll")).toBeNull();
    expect(budget.acquire("account", "b", "poll")).toEqual({ limit: "account", retry_after_ms: 1_000 });
  });
});

test("who is more important is not kept waiting by those who are booked behind", async () => {
  await inWorld("budget-d", NOON, async (world) => {
    const budget = cloudBudget(world.storage.sql, () => world.now);
    for (let n = 0; n < 80; n += 1) budget.acquire("account", null, "on");
    for (const lamp of ["a", "b", "c"]) expect(budget.acquire("account", lamp, "poll")).not.toBeNull();
    expect(budget.acquire("account", "d", "on")).toEqual({ limit: "account", retry_after_ms: 310_001 });
    expect(budget.acquire("account", "e", "off")).toBeNull();
  });
});

test("what the far end says is used up rests as long as it says, for the account or for one device", async () => {
  await inWorld("budget-e", NOON, async (world) => {
    const budget = cloudBudget(world.storage.sql, () => world.now);
    budget.backOff("account", "lamp", 5_000);
    expect(budget.acquire("account", "lamp", "off")).toEqual({ limit: "device", retry_after_ms: 5_001 });
    expect(budget.acquire("account", "other", "off")).toBeNull();
    budget.backOff("account", null, 60_000);
    expect(budget.acquire("account", "other", "off")).toEqual({ limit: "account", retry_after_ms: 60_001 });
    world.now += 60_000;
    expect(budget.acquire("account", "other", "off")).toBeNull();
    expect(budget.acquire("account", "lamp", "off")).toBeNull();
  });
});
