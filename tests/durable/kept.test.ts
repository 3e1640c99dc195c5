import { expect, test } from "vitest";
import { meta, setMeta } from "#durable/state/meta";
import { attempt, transact, type EngineContext } from "#durable/state/context";
import { claimsOf, loadClaims, putClaim } from "#durable/state/claims";
import { memoryOf, saveMemory, type DeviceMemory } from "#durable/state/device-memory";
import { keptTable } from "#durable/state/kept-table";
import { putTimer, timerDueAt } from "#durable/state/timers";
import { inWorld } from "#tests/support/engine";

const rethrown = (error: unknown) => {
  throw error;
};

const NOON = "2026-06-10T12:00:00Z";

test("a row that changes several times in a transaction is written once, at its end", async () => {
  await inWorld("kept-a", NOON, async ({ context, storage }) => {
    const stored = () => storage.sql.exec("SELECT reported FROM device_memory").toArray();
    transact(context, () => {
      saveMemory(context.sql, { ...memoryOf(context.sql, "lamp"), reported: "on" });
      saveMemory(context.sql, { ...memoryOf(context.sql, "lamp"), reported: "off" });
      expect(memoryOf(context.sql, "lamp").reported).toBe("off");
      expect(stored()).toEqual([]);
    });
    expect(stored()).toEqual([{ reported: "off" }]);
  });
});

test("a transaction that fails leaves nothing in memory either", async () => {
  await inWorld("kept-b", NOON, async ({ context }) => {
    transact(context, () => setMeta(context.sql, "fact", "old"));
    const failing = () =>
      transact(context, () => {
        setMeta(context.sql, "fact", "new");
        putTimer(context.sql, "wake", "lamp", 5);
        throw new Error("broken");
      });
    expect(failing).toThrow("broken");
    expect(meta(context.sql, "fact")).toBe("old");
    expect(timerDueAt(context.sql, "wake", "lamp")).toBeNull();
  });
});

test("a part that fails is undone alone: what came before it and after it stays", async () => {
  await inWorld("kept-c", NOON, async ({ context, storage }) => {
    const claim = { schedule_id: "s", date: "2026-07-01", start: 1, end: 2, outcome: null, note: null };
    transact(context, () => {
      putTimer(context.sql, "wake", "lamp", 5);
      const part = () =>
        attempt(
          context,
          () => {
            putTimer(context.sql, "wake", "lamp", 6);
            putTimer(context.sql, "wake", "other", 7);
            putClaim(context.sql, "lamp", claim);
            context.sql.kept?.write(); // what it wrote early is undone with it, and written again
            throw new Error("broken");
          },
          rethrown,
        );
      expect(part).toThrow("broken");
      expect(timerDueAt(context.sql, "wake", "lamp")).toBe(5);
      expect(claimsOf(context.sql, "lamp")).toEqual([]);
      putTimer(context.sql, "wake", "third", 8);
    });
    expect(storage.sql.exec("SELECT key, due_at FROM timers WHERE kind = 'wake' ORDER BY key").toArray()).toEqual([
      { key: "lamp", due_at: 5 },
      { key: "third", due_at: 8 },
    ]);
  });
});

test("what changed before a part that wrote early and failed is written all the same", async () => {
  await inWorld("kept-e", NOON, async ({ context, storage }) => {
    const remember = (change: Partial<DeviceMemory>) =>
      saveMemory(context.sql, { ...memoryOf(context.sql, "lamp"), ...change });
    transact(context, () => remember({ reported: "on", off_by: "a" }));
    transact(context, () => {
      remember({ reported: "off" });
      const part = () =>
        attempt(
          context,
          () => {
            remember({ off_by: "b" });
            context.sql.kept?.write();
            throw new Error("broken");
          },
          rethrown,
        );
      expect(part).toThrow("broken");
    });
    const stored = storage.sql.exec("SELECT reported, off_by FROM device_memory").toArray();
    expect(stored).toEqual([{ reported: "off", off_by: "a" }]);
  });
});

test("a part that fails takes with it what a statement of its own has changed", async () => {
  await inWorld("kept-d", NOON, async ({ context }) => {
    transact(context, () => {
      setMeta(context.sql, "fact", "old");
      const part = () =>
        attempt(
          context,
          () => {
            context.sql.kept?.write();
            context.sql.exec("INSERT INTO timers (kind, key, due_at) VALUES ('wake', 'lamp', 5)");
            expect(timerDueAt(context.sql, "wake", "lamp")).toBe(5);
            throw new Error("broken");
          },
          rethrown,
        );
      expect(part).toThrow("broken");
      expect(timerDueAt(context.sql, "wake", "lamp")).toBeNull();
    });
    expect(meta(context.sql, "fact")).toBe("old");
  });
});

test("a part that changes kept rows alone is undone without a savepoint, and so is one inside of it", async () => {
  await inWorld("kept-f", NOON, async ({ context, storage }) => {
    const { count } = savepoints(context);
    transact(context, () => {
      putTimer(context.sql, "wake", "lamp", 5);
      const inner = () => {
        putTimer(context.sql, "wake", "other", 7);
        throw new Error("broken");
      };
      const part = () => {
        putTimer(context.sql, "wake", "lamp", 6);
        attempt(context, inner, () => putTimer(context.sql, "wake", "instead", 8));
      };
      attempt(context, part, rethrown);
      expect(timerDueAt(context.sql, "wake", "other")).toBeNull();
      const failing = () => {
        part();
        putTimer(context.sql, "wake", "third", 9);
        throw new Error("broken");
      };
      attempt(context, failing, () => undefined);
    });
    const wakes = storage.sql.exec("SELECT key, due_at FROM timers WHERE kind = 'wake' ORDER BY key").toArray();
    expect(wakes).toEqual([
      { key: "instead", due_at: 8 },
      { key: "lamp", due_at: 6 },
    ]);
    expect(count()).toBe(1); // the transaction's own
  });
});

test("a part that writes to the tables begins anew in a savepoint, and nothing that it did before counts twice", async () => {
  await inWorld("kept-g", NOON, async ({ context, storage }) => {
    const { count } = savepoints(context);
    const failed: unknown[] = [];
    let runs = 0;
    transact(context, () => {
      const writes = () => {
        context.sql.exec("INSERT INTO messages (id, body) VALUES ('m', '{}')");
        throw new Error("broken");
      };
      const part = () => {
        runs += 1;
        setMeta(context.sql, "fact", `${meta(context.sql, "fact") ?? ""}x`);
        attempt(context, writes, (error) => failed.push(error));
      };
      attempt(context, part, rethrown);
    });
    expect(runs).toBe(2);
    expect(failed.map(String)).toEqual(["Error: broken"]);
    expect(meta(context.sql, "fact")).toBe("x");
    expect(storage.sql.exec("SELECT value FROM meta WHERE key = 'fact'").toArray()).toEqual([{ value: "x" }]);
    expect(storage.sql.exec("SELECT id FROM messages").toArray()).toEqual([]);
    expect(count()).toBe(3); // the transaction, the part and the one inside of it
  });
});

function savepoints(context: EngineContext): { count: () => number } {
  const { storage } = context;
  let opened = 0;
  context.storage = {
    setAlarm: (at) => storage.setAlarm(at),
    transactionSync: (change) => {
      opened += 1;
      return storage.transactionSync(change);
    },
  };
  return { count: () => opened };
}

test("what a failed part knew of a row aside takes nothing from what an earlier part changed of it", async () => {
  await inWorld("kept-known", NOON, async ({ context }) => {
    const written: string[] = [];
    const rows = keptTable<string>({
      most: 1,
      read: () => null,
      write: (_sql, changed) => void written.push(...changed.map(({ key, row }) => `${key} ${row}`)),
      drop: () => undefined,
    });
    transact(context, () => {
      rows(context.sql).put("lamp", "changed");
      const part = () =>
        attempt(
          context,
          () => {
            rows(context.sql).know("lamp", "as the table has it");
            throw new Error("broken");
          },
          rethrown,
        );
      expect(part).toThrow("broken");
    });
    expect(written).toEqual(["lamp changed"]);
  });
});

/** A light that has another lamp, and owes the old one an OFF, has two commands that are handed out at once (seed 8401 of 200 lights). */
test("what is read for two commands of one light at once is remembered once", async () => {
  await inWorld("kept-twice", NOON, async ({ context }) => {
    const claim = { schedule_id: "s", date: "2026-06-10", start: 1, end: 2, outcome: null, note: null };
    transact(context, () => putClaim(context.sql, "lamp", claim));
    context.sql.kept?.forget();
    loadClaims(context.sql, ["lamp", "lamp"]);
    expect(claimsOf(context.sql, "lamp")).toEqual([claim]);
  });
});

test("outside of a transaction a change is written at once", async () => {
  await inWorld("kept-e", NOON, async ({ context, storage }) => {
    setMeta(context.sql, "fact", "now");
    expect(storage.sql.exec("SELECT value FROM meta WHERE key = 'fact'").one()).toEqual({ value: "now" });
  });
});
