import { expect, test } from "vitest";
import { recordEvent } from "#durable/reporting/events";
import { enqueue } from "#durable/state/outbox";
import { nextSeq } from "#durable/state/meta";
import { transact } from "#durable/state/context";
import { memoryOf } from "#durable/state/device-memory";
import { inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule, aScheduleEach, deviceRow, events, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

/** What becomes of each batch from now on, once it is in D1. */
function afterBatch(world: World, then: () => void): void {
  const { db } = world.context;
  world.context.db = new Proxy(db, {
    get: (of, key) =>
      key !== "batch"
        ? Reflect.get(of, key)
        : async (statements: Parameters<typeof db.batch>[0]) => {
            const results = await of.batch(statements);
            then();
            return results;
          },
  });
}

function untold(world: World): unknown[] {
  return world.storage.sql.exec("SELECT * FROM outbox").toArray();
}

test("what D1 took, but whose answer was lost, is told again and stands there once", async () => {
  await aField("a");
  await aSchedule("a", "a1", at("18:00:00"), at("20:00:00"));
  await inWorld("a", at("17:00:00"), async (world) => {
    await world.sync();
    world.wire.state = { kind: "lossy" };
    await world.to(at("18:01:00"));
    world.wire.state = { kind: "up" };
    await world.to(at("18:05:00"));
    expect(await events("a")).toEqual(["18:00:08 scheduler on ok 1"]);
    const { calls } = (await sql("SELECT COUNT(*) AS calls FROM device_events WHERE org_id = 'a'").first()) ?? {};
    expect(calls).toBe(1);
    expect(untold(world)).toEqual([]);
  });
});

test("lights that are due come before the records of those that were", async () => {
  const lamps = Array.from({ length: 300 }, (_, n) => `due-${n}`);
  await aField("due", lamps);
  await setting("due", "BLACKOUT_WINDOW", "17:30-21:00").run(); // so that no call holds records back, either
  await aScheduleEach("due", lamps, at("18:00:00"), at("20:00:00"));
  await inWorld("due", at("17:00:00"), async (world) => {
    await world.sync();
    const due = "SELECT COUNT(*) AS n FROM timers WHERE kind = 'wake' AND due_at <= ?";
    const left: number[] = [];
    await world.to(at("17:59:59"));
    afterBatch(world, () => void left.push(world.storage.sql.exec<{ n: number }>(due, world.now).one().n));
    await world.to(at("18:00:03"));
    expect(left).toEqual([0]);
    const { n } = (await sql("SELECT COUNT(*) AS n FROM state_changes WHERE org_id = 'due'").first()) ?? {};
    expect(n).toBe(300);
  });
});

test("a city's records reach D1 in a few calls", async () => {
  await aField("many");
  await inWorld("many", at("17:00:00"), async (world) => {
    await world.sync();
    let calls = 0;
    afterBatch(world, () => void (calls += 1));
    transact(world.context, () => {
      for (let n = 0; n < 2_500; n += 1) anEvent(world, `${n}`, "");
    });
    await world.to(world.now); // each set has a turn of its own, and no time passes
    expect(await events("many")).toHaveLength(2_500);
    expect(calls).toBe(3);
  });
});

test("records that together are longer than D1 takes at once are told in parts", async () => {
  await aField("long");
  await inWorld("long", at("17:00:00"), async (world) => {
    await world.sync();
    transact(world.context, () => {
      for (let n = 0; n < 10; n += 1) anEvent(world, `long-${n}`, "x".repeat(400_000));
      anEvent(world, "longer", "x".repeat(600_000));
    });
    await world.to(at("17:01:00"));
    expect(await events("long")).toHaveLength(11);
    expect(untold(world)).toEqual([]);
  });
});

function anEvent({ context }: World, id: string, note: string): void {
  const about = { device_id: null, device_name: null, dept_id: null, note };
  recordEvent(context, id, {
    ...about,
    source: "scheduler",
    action: "on",
    result: "ok",
    attempts: 1,
    cause: "attempt",
  });
}

test("a newer state that is posted while the older one is told is told too", async () => {
  await aField("b");
  await inWorld("b", at("17:00:00"), async (world) => {
    await world.sync();
    const tell = (status: "online" | "offline") =>
      transact(world.context, () => {
        const seq = nextSeq(world.context);
        enqueue(world.context, "hub_health", "b-hub", { hub_id: "b-hub", status, last_seen: null, rtt_ms: null, seq });
      });
    let isFirst = true;
    afterBatch(world, () => {
      if (isFirst) tell("offline");
      isFirst = false;
    });
    tell("online");
    await world.calm();
    expect(await sql("SELECT status FROM hubs WHERE id = 'b-hub'").first()).toEqual({ status: "offline" });
    expect(untold(world)).toEqual([]);
  });
});

test("a database that was away for half an hour, and later for a moment, is told at once after that moment", async () => {
  await aField("moment");
  await inWorld("moment", at("17:00:00"), async (world) => {
    await world.sync();
    const post = (id: string) => transact(world.context, () => anEvent(world, id, ""));
    world.setDatabaseDown(true);
    post("moment-1");
    await world.to(at("17:30:00"));
    world.setDatabaseDown(false);
    await world.to(at("17:35:00"));
    expect(await events("moment")).toHaveLength(1);
    world.setDatabaseDown(true);
    post("moment-2");
    await world.to(at("17:35:03"));
    world.setDatabaseDown(false);
    await world.to(at("17:35:10"));
    expect(await events("moment")).toHaveLength(2);
  });
});

test("a state that is older than what D1 has changes nothing there", async () => {
  await aField("c");
  await aSchedule("c", "c1", at("18:00:00"), at("20:00:00"));
  await inWorld("c", at("17:00:00"), async (world) => {
    await world.sync();
    await sql("UPDATE devices SET current_state = 'off', state_seq = 9000000000000000 WHERE id = 'c-lamp'").run();
    await world.to(at("18:01:00"));
    expect(world.lamp("c-lamp")).toBe("on");
    expect((await deviceRow("c-lamp")).current_state).toBe("off");
  });
});

test("a hold and a problem that are older than what D1 has change nothing there", async () => {
  await aField("old");
  await inWorld("old", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:old-lamp", { kind: "offline" });
    const told = () => sql("SELECT hold ->> 'action' AS hold, problem FROM devices WHERE id = 'old-lamp'").first();
    const seqs = (seq: number) => sql("UPDATE devices SET hold_seq = ?1, problem_seq = ?1 WHERE id = 'old-lamp'", seq);
    await seqs(9_000_000_000_000_000).run();
    await world.toggle("old-lamp", "on", { until: at("18:00:00") });
    await world.to(at("17:30:00"));
    expect(memoryOf(world.storage.sql, "old-lamp")).toMatchObject({ hold_action: "on", problem: expect.any(String) });
    expect(await told()).toEqual({ hold: null, problem: null });
    await seqs(0).run();
    await world.toggle("old-lamp", "on", { until: at("18:30:00") });
    await world.to(at("17:59:00"));
    expect(await told()).toEqual({ hold: "on", problem: expect.any(String) });
  });
});

test("a report of a hub or an agent that is older than what D1 has changes nothing there, a newer one does", async () => {
  await aField("reports");
  await sql(
    "INSERT INTO agents (id, org_id, name, secret_hash, hint) VALUES ('box', 'reports', 'Box', 'x', 'y')",
  ).run();
  await inWorld("reports", at("17:00:00"), async (world) => {
    await world.sync();
    const hub = { hub_id: "reports-hub", last_seen: null, rtt_ms: null };
    const agent = { agent_id: "box", connected_since: null, last_seen: null, agent_version: null, plan_refused: null };
    const tell = async (status: "online" | "offline", seq: number) => {
      transact(world.context, () => {
        enqueue(world.context, "hub_health", "reports-hub", { ...hub, status, seq });
        enqueue(world.context, "agent_health", "box", { ...agent, status, seq });
      });
      await world.calm();
    };
    const told = () =>
      sql("SELECT (SELECT status FROM hubs WHERE org_id = 'reports') AS hub, status AS agent FROM agents").first();
    const ahead = 9_000_000_000_000_000;
    await tell("offline", ahead);
    await tell("online", ahead - 1);
    expect(await told()).toEqual({ hub: "offline", agent: "offline" });
    await tell("online", ahead + 1);
    expect(await told()).toEqual({ hub: "online", agent: "online" });
  });
});

test("a row that D1 refuses is set aside with the reason, and the others are told", async () => {
  await aField("d");
  await aSchedule("d", "d1", at("18:00:00"), at("20:00:00"));
  await inWorld("d", at("17:00:00"), async (world) => {
    await world.sync();
    world.storage.sql.exec(
      `INSERT INTO outbox (kind, key, body) VALUES ('scheduler_event', 'scheduler_event:bad', '{"id":"bad"}')`,
    );
    await world.to(at("18:01:00"));
    expect(await events("d")).toEqual(["18:00:08 scheduler on ok 1"]);
    expect(untold(world)).toEqual([
      expect.objectContaining({ key: "scheduler_event:bad", set_aside: expect.stringMatching(/NOT NULL constraint/) }),
    ]);
    expect(world.storage.sql.exec("SELECT * FROM timers WHERE kind = 'outbox'").toArray()).toEqual([]);
  });
});

test("a restore is noticed by its epoch, even where the version is the same", async () => {
  await aField("e");
  await aSchedule("e", "e1", at("18:00:00"), at("20:00:00"));
  await inWorld("e", at("17:00:00"), async (world) => {
    await world.sync();
    const before = await sql("SELECT config_version FROM organizations WHERE id = 'e'").first();
    await sql("UPDATE schedules SET status = 'canceled' WHERE id = 'e1'").run();
    await sql(
      "UPDATE organizations SET epoch = 'restored', config_version = ? WHERE id = 'e'",
      versionOf(before),
    ).run();
    await world.to(at("18:01:00"));
    expect(world.lamp("e-lamp")).toBe("off");
  });
});

test("changes that were pruned before they were pulled are not missed", async () => {
  await aField("f");
  await aSchedule("f", "f1", at("18:00:00"), at("20:00:00"));
  await inWorld("f", at("17:00:00"), async (world) => {
    await world.sync();
    await sql("UPDATE schedules SET status = 'canceled' WHERE id = 'f1'").run();
    await sql("DELETE FROM changes WHERE org_id = 'f'").run();
    await sql("UPDATE areas SET name = 'Field 4' WHERE id = 'f-area'").run();
    await world.to(at("18:01:00"));
    expect(world.lamp("f-lamp")).toBe("off");
  });
});

function versionOf(row: Record<string, unknown> | null): number {
  return Number(row?.config_version);
}

test("a hold and a problem that were queued before they had a seq are written, but not over newer ones", async () => {
  await aField("s", ["s-first", "s-second"]);
  await inWorld("s", at("17:00:00"), async (world) => {
    await world.sync();
    await sql("UPDATE devices SET hold_seq = 7, problem_seq = 7 WHERE id = 's-second'").run();
    const hold = { action: "on", until: at("20:00:00"), reason: null, by: null, since: at("17:00:00") };
    for (const device_id of ["s-first", "s-second"]) {
      queue(world, "device_hold", { device_id, hold });
      queue(world, "device_problem", { device_id, problem: "stays dark", problem_since: at("16:00:00") });
    }
    await world.to(at("17:01:00"));
    expect(
      await sql("SELECT hold ->> 'action' AS hold, problem FROM devices WHERE id LIKE 's-%' ORDER BY id").all(),
    ).toMatchObject({
      results: [
        { hold: "on", problem: "stays dark" },
        { hold: null, problem: null },
      ],
    });
    expect(untold(world)).toEqual([]);
  });
});

test("what only another release can write waits for it, holds up nothing and alarms nobody", async () => {
  await aField("o");
  await aSchedule("o", "o1", at("18:00:00"), at("20:00:00"));
  await inWorld("o", at("17:00:00"), async (world) => {
    await world.sync();
    queue(world, "of_the_future", { device_id: "o-lamp" });
    queue(world, "device_problem", { device_id: "o-lamp", problem: null, problem_since: at("16:00:00"), seq: 1_000 });
    world.tamper("UPDATE outbox SET set_aside = 'for another release' WHERE kind = 'device_problem'");
    world.die();
    await world.to(at("18:05:00"));
    expect(await events("o")).toEqual(["18:00:08 scheduler on ok 1"]);
    expect(await sql("SELECT problem_seq FROM devices WHERE id = 'o-lamp'").first()).toEqual({ problem_seq: 1_000 });
    expect(untold(world)).toMatchObject([{ kind: "of_the_future", set_aside: "for another release" }]);
    expect(await sql("SELECT * FROM notifications WHERE org_id = 'o'").first()).toBeNull();
  });
});

/** As an engine of another release has left it. */
function queue(world: World, kind: string, body: unknown): void {
  const key = `${kind} ${untold(world).length}`;
  world.tamper("INSERT INTO outbox (kind, key, body) VALUES (?, ?, ?)", kind, key, JSON.stringify(body));
  world.tamper("INSERT OR REPLACE INTO timers (kind, key, due_at) VALUES ('outbox', '', ?)", world.now + 1);
}

test("between two sets of rows others have their turn", async () => {
  await aField("sets");
  await inWorld("sets", at("17:00:00"), async (world) => {
    const { context } = world;
    await world.sync();
    const health = { hub_id: "gone", status: "online" as const, last_seen: null, rtt_ms: null, seq: 1 };
    transact(context, () => {
      for (let n = 0; n < 2_001; n += 1) enqueue(context, "hub_health", `gone-${n}`, health);
    });
    const left: number[] = [];
    const look = () => void left.push(untold(world).length);
    afterBatch(world, () => context.after(0, look));
    await world.to(world.now);
    expect(left).toEqual([1_001, 1, 0]);
    expect(untold(world)).toEqual([]);
  });
});
