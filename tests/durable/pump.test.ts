import { expect, test } from "vitest";
import { freeLanes, lanesOf, runErrand } from "#durable/dispatch/lanes";
import { listHubAccount } from "#durable/requests/hub-account";
import { enqueue } from "#durable/state/outbox";
import { transact } from "#durable/state/context";
import { notify } from "#durable/reporting/notify";
import { putTimer } from "#durable/state/timers";
import { aCity } from "#tests/support/a-city";
import { inWorld, type World } from "#tests/support/engine";
import { aCrowd, aField, aScheduleEach, deviceRow, events, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

test("simulated lamps open no connection: all that are due together are lit together", async () => {
  const lamps = await aCrowd("crowd", 150);
  await inWorld("crowd", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:00:00.130"));
    expect(lamps.filter((lamp) => world.lamp(lamp) !== "on")).toEqual([]);
    await world.to(at("18:00:09"));
    expect(await events("crowd")).toHaveLength(lamps.length);
    expect((await deviceRow("crowd-149")).current_state).toBe("on");
  });
});

async function lanes(world: World, org_id: string): Promise<number[]> {
  const lanes: number[] = [];
  for (const mode of ["mock", "cloud", "local", "hybrid"]) {
    await setting(org_id, "PROVIDER_MODE", mode).run();
    await world.sync();
    lanes.push(lanesOf(world.context));
  }
  return lanes;
}

test("lights that are due together are looked at, sent and settled in one transaction a batch", async () => {
  const lamps = await aCrowd("batches", 1_280);
  await inWorld("batches", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("latency", { kind: "slow", ms: 0 });
    await world.to(at("17:59:59"));
    let commits = 0;
    world.watch.committed = () => (commits += 1);
    await world.to(at("18:00:00.010"));
    expect(lamps.filter((lamp) => world.lamp(lamp) !== "on")).toEqual([]);
    // Beside the ten: the look for lost calls, the last answers, that nothing more is due, and the next alarm.
    expect(commits).toBeLessThanOrEqual(lamps.length / 128 + 4);
  });
});

test("where the platform holds six connections, calls have four of them in every mode that opens any", async () => {
  await aField("six");
  await inWorld("six", at("17:00:00"), async (world) => {
    world.context.connections = 6;
    expect(await lanes(world, "six")).toEqual([Infinity, 4, 4, 4]);
  });
});

test("a text and a list under way leave the calls two connections less", async () => {
  await aField("busy");
  await setting("busy", "PROVIDER_MODE", "local").run();
  await inWorld("busy", at("17:00:00"), async (world) => {
    const { context } = world;
    context.connections = 6;
    await world.sync();
    expect(freeLanes(context)).toBe(4);
    for (const key of ["text", "list"]) runErrand(context, key, () => new Promise(() => undefined));
    await world.calm();
    expect(freeLanes(context)).toBe(2);
  });
});

test("where nothing holds connections, the cloud has six calls at once, and each hub is a lane", async () => {
  await aField("own");
  await inWorld("own", at("17:00:00"), async (world) => {
    world.context.connections = 202;
    expect(await lanes(world, "own")).toEqual([Infinity, 6, 200, 200]);
  });
});

test.each(["local", "hybrid"])("%s: no event uses more than six connections, whatever comes together", async (mode) => {
  const org = `most${mode}`;
  const { lamps, equip, isLit } = await aCity(org, mode, 20, 40);
  await aScheduleEach(org, lamps, at("18:00:00"), at("20:00:00"));
  await setting(org, "NOTIFY_SMS_TO", "+15550100").run();
  await inWorld(
    org,
    at("17:00:00"),
    async (world) => {
      const { context } = world;
      const open = { now: 0, most: 0 };
      const look = () => {
        const d1 = [context.pulls, context.flushes].filter(({ running }) => running !== null).length;
        open.most = Math.max(open.most, open.now + d1);
      };
      const counted = async <T>(work: Promise<T>): Promise<T> => {
        open.now += 1;
        look();
        try {
          return await work;
        } finally {
          open.now -= 1;
        }
      };
      world.wrapProvider(({ list, ping, read, switch: switches }) => ({
        list: (...call) => counted(list(...call)),
        ping: (...call) => counted(ping(...call)),
        read: (...call) => counted(read(...call)),
        switch: (...call) => counted(switches(...call)),
      }));
      context.connections = 6;
      context.sms = () =>
        counted(
          new Promise((done) => {
            context.after(300, () => done({ ok: true }));
          }),
        );
      await world.sync();
      world.wire.state = { kind: "slow", ms: 400 };
      await world.to(at("18:00:00"));
      transact(context, () => {
        const text = "A lamp could not be switched.";
        for (let n = 0; n < 10; n += 1) {
          const name = `device:${n}`;
          notify(context, name, "device_failed", text, {
            kind: "device_failed",
            dept_id: null,
            name,
            since: world.now,
            text,
          });
        }
      });
      const lists = [0, 1, 2].map((n) => listHubAccount(context, `${org}-hub${n}`));
      for (const end = Date.parse(at("18:02:00")); world.now < end;) {
        await world.to(world.now + 100);
        look();
      }
      expect((await Promise.all(lists)).every(({ ok }) => ok)).toBe(true);
      expect(lamps.filter((lamp) => !isLit(lamp))).toEqual([]);
      expect(open.most).toBeGreaterThanOrEqual(5);
      expect(open.most).toBeLessThanOrEqual(6);
    },
    equip,
  );
});

test("a toggle in the middle of a crowd is answered before the crowd is done", async () => {
  await aCrowd("pressed", 30);
  await setting("pressed", "PROVIDER_MODE", "mock").run();
  await inWorld("pressed", at("17:00:00"), async (world) => {
    await world.sync();
    for (let n = 1; n < 30; n += 1) world.fault(`lamp:pressed-${n}`, { kind: "slow", ms: 5_000 });
    await world.to(at("18:00:01"));
    const began = world.now;
    expect((await world.toggle("pressed-0", "off")).success).toBe(true);
    expect(world.now - began).toBeLessThan(500);
  });
});

test("what a toggle came to is settled before what came in with it, and alone", async () => {
  await aCrowd("first", 100);
  await setting("first", "PROVIDER_MODE", "mock").run();
  await inWorld("first", at("17:00:00"), async (world) => {
    await world.sync();
    for (let n = 1; n < 100; n += 1) world.fault(`lamp:first-${n}`, { kind: "slow", ms: 5_000 });
    await world.to(at("18:00:02"));
    const slow_until = Date.parse(at("18:00:05"));
    await world.to(slow_until - 1_000);
    world.fault("lamp:first-0", { kind: "slow", ms: 1_000 }); // so that it comes in at the same instant, after them
    const left: number[] = [];
    world.watch.committed = () => {
      const calls = world.storage.sql.exec<{ id: string }>("SELECT device_id AS id FROM calls").toArray();
      if (world.now >= slow_until && !calls.some(({ id }) => id === "first-0")) left.push(calls.length);
    };
    expect((await world.toggle("first-0", "off")).success).toBe(true);
    expect(left[0]).toBe(99); // all others
  });
});

test("however many people switch, one pass of the pump waits for its turn", async () => {
  await aCrowd("turns", 200);
  await setting("turns", "PROVIDER_MODE", "mock").run();
  await inWorld("turns", at("17:00:00"), async (world) => {
    await world.sync();
    for (let n = 5; n < 200; n += 1) world.fault(`lamp:turns-${n}`, { kind: "slow", ms: 5_000 });
    await world.to(at("18:00:04"));
    for (let n = 0; n < 5; n += 1) world.fault(`lamp:turns-${n}`, { kind: "slow", ms: 1_000 });
    const { context } = world;
    const { after } = context;
    const turns = { waiting: 0, most: 0 };
    context.after = (ms, then) => {
      if (ms > 0) return after(ms, then);
      const turn = { isOver: false };
      turns.waiting += 1;
      turns.most = Math.max(turns.most, turns.waiting);
      const end = () => {
        if (!turn.isOver) turns.waiting -= 1;
        turn.isOver = true;
      };
      const callOff = after(ms, () => {
        end();
        then();
      });
      return () => {
        end();
        callOff();
      };
    };
    const answers: boolean[] = [];
    for (let n = 0; n < 5; n += 1) world.beginToggle(`turns-${n}`, "off", ({ success }) => void answers.push(success));
    await world.to(at("18:00:05")); // where all that was sent comes in, too
    expect(answers).toEqual([true, true, true, true, true]);
    expect(turns.most).toBe(1);
  });
});

test("while a city is switched, a toggle waits for its own records only", async () => {
  await aCrowd("own-records", 30);
  await setting("own-records", "PROVIDER_MODE", "mock").run();
  await inWorld("own-records", at("17:00:00"), async (world) => {
    await world.sync();
    for (let n = 1; n < 30; n += 1) world.fault(`lamp:own-records-${n}`, { kind: "slow", ms: 5_000 });
    await world.to(at("18:00:03"));
    const { context } = world;
    const hub_id = "own-records-hub";
    const health = { hub_id, status: "online" as const, last_seen: null, rtt_ms: null, seq: 1 };
    transact(context, () => enqueue(context, "hub_health", hub_id, health));
    await world.toggle("own-records-0", "off");
    expect((await deviceRow("own-records-0")).current_state).toBe("off");
    const left = world.storage.sql.exec<{ kind: string }>("SELECT kind FROM outbox").toArray();
    expect(left).toEqual([{ kind: "hub_health" }]);
  });
});

test("after a storm, too, a toggle does not wait for what the city has to tell", async () => {
  await aField("behind");
  await setting("behind", "PROVIDER_MODE", "mock").run();
  await inWorld("behind", at("17:00:00"), async (world) => {
    await world.sync();
    const { context } = world;
    const { db } = context;
    let isHeld = false;
    context.db = new Proxy(db, {
      get: (of, key) =>
        key !== "batch"
          ? Reflect.get(of, key)
          : async (statements: Parameters<typeof db.batch>[0]) => {
              const holdUp = !isHeld;
              isHeld = true;
              if (holdUp) await new Promise<void>((go) => void context.after(900, go));
              return of.batch(statements);
            },
    });
    const health = { hub_id: "gone", status: "online" as const, last_seen: null, rtt_ms: null, seq: 1 };
    transact(context, () => {
      for (let n = 0; n < 150; n += 1) enqueue(context, "hub_health", `gone-${n}`, health);
    });
    await world.toggle("behind-lamp", "on");
    expect((await deviceRow("behind-lamp")).current_state).toBe("on");
    expect(world.storage.sql.exec("SELECT DISTINCT kind FROM outbox").toArray()).toEqual([{ kind: "hub_health" }]);
  });
});

test.each([
  ["nobody", 128, null],
  ["somebody, a moment ago,", 32, "17:59:59.500"],
  ["somebody, a while ago,", 128, "17:59:58"],
])("where %s has switched a light, %i lights are switched in one go", async (_who, most, toggled) => {
  const org = `slice${toggled?.replaceAll(/\W/g, "") ?? ""}`;
  await aCrowd(org, 300);
  await setting(org, "PROVIDER_MODE", "mock").run();
  await inWorld(org, at("17:00:00"), async (world) => {
    await world.sync();
    if (toggled) await world.to(at(toggled));
    if (toggled) await world.toggle(`${org}-0`, "off");
    const called: number[] = [];
    for (let n = 1; n < 300; n += 1) world.fault(`lamp:${org}-${n}`, { kind: "slow", ms: 5_000 });
    world.watch.committed = () => {
      called.push(world.storage.sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM calls").one().n);
    };
    await world.to(at("18:00:01"));
    const steps = called.map((calls, n) => calls - (called[n - 1] ?? 0));
    expect(Math.max(...steps)).toBe(most);
  });
});

/** A crowd at 18:00, on a machine to which each batch of lights is so much work; lit, and told so in D1, at each instant. */
async function inAStorm(org_id: string, turn_ms: number, instants: string[]) {
  const lamps = await aCrowd(org_id, 1_280);
  const seen: { lit: number; told: number }[] = [];
  await inWorld(org_id, at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("latency", { kind: "slow", ms: 0 });
    await world.to(at("17:59:59"));
    const { context } = world;
    const { after } = context;
    context.after = (ms, then) => after(ms === 0 ? turn_ms : ms, then);
    for (const instant of instants) {
      await world.to(at(instant));
      const told = await sql("SELECT id FROM devices WHERE org_id = ? AND current_state = 'on'", org_id).all();
      seen.push({ lit: lamps.filter((lamp) => world.lamp(lamp) === "on").length, told: told.results.length });
    }
  });
  return seen;
}

test("lights come before records: none is written while others have still to be looked at", async () => {
  const seen = await inAStorm("lights-first", 450, ["18:00:04.400", "18:00:06"]);
  expect(seen).toEqual([
    { lit: 1_280, told: 0 },
    { lit: 1_280, told: 1_280 },
  ]);
});

test("in the longest storm people see after five seconds what has been lit", async () => {
  const [before, after] = await inAStorm("lights-and-records", 1_200, ["18:00:04.900", "18:00:07"]);
  expect(before?.told).toBe(0);
  expect(after?.told).toBeGreaterThan(0);
  expect(after?.lit).toBeLessThan(1_280);
});

test("a person's ON goes before the planned OFFs that wait for a lane", async () => {
  const { lamps, equip, isLit } = await aCity("dusk", "local", 10, 10);
  const [pressed = "", ...others] = lamps;
  await aScheduleEach("dusk", others, at("18:00:00"), at("20:00:00"));
  await inWorld(
    "dusk",
    at("17:00:00"),
    async (world) => {
      world.context.connections = 3;
      await world.sync();
      await world.to(at("20:00:00.100"));
      expect((await world.toggle(pressed, "on")).success).toBe(true);
      expect(others.filter(isLit).length).toBeGreaterThanOrEqual(7);
      await world.to(at("20:01:00"));
      expect(lamps.filter(isLit)).toEqual([pressed]);
    },
    equip,
  );
});

test("an alarm with thousands of timers due serves some, and the next alarm the others", async () => {
  await aField("many");
  await inWorld("many", at("17:00:00"), async (world) => {
    await world.sync();
    transact(world.context, () => {
      for (let n = 0; n < 3_000; n += 1) putTimer(world.context.sql, "recheck", `many-${n}`, world.now);
    });
    let alarms = 0;
    world.watch.acts = () => (alarms += 1);
    await world.to(at("17:00:01"));
    expect(alarms).toBe(2);
    expect(world.storage.sql.exec("SELECT 1 FROM timers WHERE kind = 'recheck'").toArray()).toEqual([]);
  });
});

test("the watchdog reads every light within a quarter of an hour where no vendor limits calls", async () => {
  await aField("round");
  await setting("round", "WATCHDOG_ENABLED", true).run();
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)";
  await sql(
    `${numbers} INSERT INTO devices (id, org_id, area_id, name) SELECT 'round-' || i, 'round', 'round-area', 'Lamp' FROM n`,
  ).run();
  await inWorld("round", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:16:05"));
    expect(world.storage.sql.exec("SELECT COUNT(*) AS n FROM reads").one()).toEqual({ n: 901 });
  });
});
