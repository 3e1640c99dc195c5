import { expect, test } from "vitest";
import { liveMessage, type LiveMessage } from "#domain/lists/live-schema";
import { noteLists } from "#durable/live/note";
import { join } from "#durable/live/push";
import type { Subscriber } from "#durable/live/subscriber";
import { WHOLE_CITY } from "#durable/reporting/alarms";
import { closeIncident, notifyOnce, openIncident } from "#durable/reporting/incidents";
import { transact } from "#durable/state/context";
import { keptStore } from "#durable/state/kept";
import { aCity } from "#tests/support/a-city";
import { bringBack, dumpOf, loseAll, type Dump } from "#tests/support/backup-of";
import { AnAgent, assignAgent } from "#tests/support/an-agent";
import { inWorld, type World } from "#tests/support/engine";
import { aCrowd, aField, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

type Told = { at: number; text: string; message: LiveMessage };

/** A browser that listens to a world; what it was told, and how it was closed. */
function listen(
  world: World,
  depts: string[] | null = null,
  heard = world.context.backlog.version,
): { told: Told[]; closed: number[] } {
  const told: Told[] = [];
  const closed: number[] = [];
  const carried: Subscriber = { user_id: "ann", sid: "s", role: "employee", dept_id: null, depts };
  const socket = {
    send: (text: unknown) => {
      const message = liveMessage.parse(JSON.parse(String(text)));
      told.push({ at: world.now, text: String(text), message });
    },
    close: (code?: number) => void closed.push(code ?? 0),
    deserializeAttachment: () => carried,
  };
  world.sockets.push(socket);
  join(world.context, socket, heard);
  return { told, closed };
}

const devicesIn = (told: Told[]) => told.flatMap(({ message }) => (message.kind === "changes" ? message.devices : []));

/** What the engine asks of its tables, and of D1, in one evening. */
async function evening(org_id: string, listeners: number): Promise<{ statements: number; batches: number }> {
  await aCrowd(org_id, 20);
  const cost = { statements: 0, batches: 0 };
  await inWorld(org_id, at("17:00:00"), async (world) => {
    for (let n = 0; n < listeners; n += 1) listen(world);
    await world.sync();
    await world.to(at("17:59:50"));
    const { sql: real } = world.storage;
    const exec = (...args: Parameters<SqlStorage["exec"]>) => {
      cost.statements += 1;
      return real.exec(...args);
    };
    world.context.sql = keptStore(Object.create(real, { exec: { value: exec } }));
    const { db } = world.context;
    world.context.db = Object.create(db, {
      batch: { value: (...args: Parameters<typeof db.batch>) => ((cost.batches += 1), db.batch(...args)) },
    });
    await world.to(at("18:00:30"));
    expect(world.context.backlog.since(world.context.backlog.version)).not.toBeNull();
    expect(world.lamp(`${org_id}-0`)).toBe("on");
  });
  return cost;
}

test("browsers that listen cost the engine no statement, neither of its own tables nor of D1", async () => {
  const [none, many] = [await evening("unheard", 0), await evening("heard", 50)];
  expect(none.batches).toBeGreaterThan(0);
  expect(many.statements).toBe(none.statements);
  expect(many.batches).toBe(none.batches);
});

test("without a browser nothing is remembered, told or timed", async () => {
  await aCrowd("alone", 5);
  await inWorld("alone", at("17:00:00"), async (world) => {
    await world.sync();
    const { backlog } = world.context;
    const before = backlog.version;
    await world.to(at("18:01:00"));
    expect(world.lamp("alone-0")).toBe("on");
    expect(backlog.since(before)).toBeNull();
    expect(backlog.since(backlog.version)).toEqual({ devices: [], lists: [] });
    expect(world.context.push.isAsked).toBe(false);
    expect(world.storage.sql.exec("SELECT 1 FROM timers WHERE kind = 'sockets'").toArray()).toEqual([]);
  });
});

test("however much changes, a browser gets one message a second, and every light once in the end", async () => {
  const lamps = await aCrowd("sunset", 60);
  await inWorld("sunset", at("17:00:00"), async (world) => {
    await world.sync();
    const { told } = listen(world);
    // Their windows, and what people do meanwhile.
    await world.to(at("18:00:02"));
    for (const lamp of lamps.slice(0, 12)) {
      await world.toggle(lamp, "on");
      await world.to(world.now + 100);
    }
    await world.to(at("18:00:30"));
    expect(told.length).toBeGreaterThan(2);
    for (const [n, { at: instant }] of told.entries())
      expect(instant - (told[n - 1]?.at ?? -Infinity)).toBeGreaterThanOrEqual(1_000);
    const last = new Map(devicesIn(told).map((device) => [device.id, device.current_state]));
    expect([...last.keys()].toSorted()).toEqual(lamps.toSorted());
    expect(new Set(last.values())).toEqual(new Set(["on"]));
    const quiet = told.length;
    await world.to(at("18:10:00"));
    expect(told.length).toBe(quiet);
  });
});

test("a set of records whose answer is late tells no browser of a state that is not the latest any more", async () => {
  await aCrowd("stale", 150);
  await inWorld("stale", at("17:00:00"), async (world) => {
    await world.sync();
    const { told } = listen(world);
    await world.to(at("17:59:59"));
    const { db } = world.context;
    let answer = (): void => {};
    const batch = async (...statements: Parameters<typeof db.batch>) => {
      const answered = await db.batch(...statements);
      if (!isLate) await new Promise<void>((done) => (answer = done));
      return answered;
    };
    let isLate = false;
    world.context.db = new Proxy(db, { get: (of, key) => (key === "batch" ? batch : Reflect.get(of, key)) });
    await world.to(at("18:00:03"));
    isLate = true;
    expect(await world.toggle("stale-0", "off")).toMatchObject({ success: true });
    answer();
    // It is verified at 18:00:11 only.
    await world.to(at("18:00:06"));
    const states = devicesIn(told).flatMap(({ id, current_state }) => (id === "stale-0" ? (current_state ?? []) : []));
    expect(states.at(-1)).toBe("off");
    expect(devicesIn(told).filter(({ current_state }) => current_state === "on")).toHaveLength(149);
  });
});

test("browsers that may see the same get the same text; a hidden department's lights are in no other's", async () => {
  await aField("apart", ["apart-open", "apart-north"]);
  await sql("UPDATE devices SET hub_id = NULL WHERE org_id = 'apart'").run();
  await sql("INSERT INTO departments (id, org_id, name) VALUES ('north', 'apart', 'North')").run();
  await sql("UPDATE devices SET dept_id = 'north' WHERE id = 'apart-north'").run();
  await inWorld("apart", at("12:00:00"), async (world) => {
    await world.sync();
    await world.to(at("12:01:00"));
    const [everything, again] = [listen(world), listen(world)];
    const [north, elsewhere] = [listen(world, ["north"]), listen(world, ["south"])];
    await world.toggle("apart-north", "on");
    await world.to(at("12:01:30"));
    expect(devicesIn(north.told).map(({ id }) => id)).toContain("apart-north");
    expect(everything.told.map(({ text }) => text)).toEqual(again.told.map(({ text }) => text));
    expect(elsewhere.told).toEqual([]);
    await world.toggle("apart-open", "on");
    await world.to(at("12:02:00"));
    for (const { told } of [everything, north, elsewhere])
      expect(devicesIn(told).map(({ id }) => id)).toContain("apart-open");
    expect(elsewhere.told.map(({ text }) => text).join()).not.toContain("north");
  });
});

test("a light that moves to a hidden department is heard of no more", async () => {
  await aField("moved", ["moved-lamp"]);
  await sql("UPDATE devices SET hub_id = NULL WHERE org_id = 'moved'").run();
  await sql("INSERT INTO departments (id, org_id, name) VALUES ('away', 'moved', 'Away')").run();
  await inWorld("moved", at("12:00:00"), async (world) => {
    await world.sync();
    await world.to(at("12:01:00"));
    const { told } = listen(world, []);
    await sql("UPDATE devices SET dept_id = 'away' WHERE id = 'moved-lamp'").run();
    await world.sync();
    await world.toggle("moved-lamp", "on");
    await world.to(at("12:02:00"));
    expect(devicesIn(told)).toEqual([]);
    expect(told.flatMap(({ message }) => (message.kind === "changes" ? message.lists : []))).toEqual(["devices"]);
  });
});

test("of an alarm that is over those hear who see its light by now", async () => {
  await aField("handed", ["handed-lamp"]);
  await sql(
    "INSERT INTO departments (id, org_id, name) VALUES ('old', 'handed', 'Old'), ('new', 'handed', 'New')",
  ).run();
  await sql("UPDATE devices SET dept_id = 'old' WHERE id = 'handed-lamp'").run();
  await inWorld("handed", at("12:00:00"), async (world) => {
    await world.sync();
    await world.to(at("12:01:00"));
    const about = { ...WHOLE_CITY, device_id: "handed-lamp", device_name: "Lamp", dept_id: "old" };
    transact(world.context, () => {
      openIncident(world.context, "device:handed-lamp");
      notifyOnce(world.context, "device:handed-lamp", "device_failed", "Dark.", { what: "Dark", why: "broken", about });
    });
    await world.to(at("12:02:00"));
    await sql("UPDATE devices SET dept_id = 'new' WHERE id = 'handed-lamp'").run();
    await world.sync();
    await world.to(at("12:03:00"));
    const [before, now] = [listen(world, ["old"]), listen(world, ["new"])];
    transact(world.context, () => closeIncident(world.context, "device:handed-lamp"));
    await world.to(at("12:04:00"));
    const listsIn = (told: Told[]) => told.flatMap(({ message }) => (message.kind === "changes" ? message.lists : []));
    expect(listsIn(now.told)).toContain("alarms");
    expect(listsIn(before.told)).not.toContain("alarms");
  });
});

test("of more lights than a message carries, browsers are told to load what they show", async () => {
  await aField("many", ["many-lamp"]);
  await inWorld("many", at("12:00:00"), async (world) => {
    await world.sync();
    world.storage.sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
       INSERT INTO plan (kind, id, owner, body) SELECT 'device', 'l' || i, NULL,
         json_set((SELECT body FROM plan WHERE kind = 'device' AND id = 'many-lamp'), '$.id', 'l' || i) FROM n`,
    );
    world.context.sql.kept?.forget();
    const { told } = listen(world);
    const rows = Array.from({ length: 20_000 }, (_, n) => ({
      kind: "device_state" as const,
      body: JSON.stringify({
        device_id: `l${(n % 10_000) + 1}`,
        current_state: "on",
        last_state_at: at("12:00:00"),
        seq: n,
      }),
    }));
    const { version } = world.context.backlog;
    world.context.recordsDelivered(rows);
    expect(world.context.backlog.since(version)?.devices).toHaveLength(10_000);
    await world.to(at("12:00:10"));
    expect(told.map(({ message }) => message)).toEqual([
      { kind: "changes", version: expect.any(Number), devices: [], lists: ["devices"], spread_ms: 5 },
    ]);
  });
});

test("a broken socket is closed, and the others hear all the same", async () => {
  await aField("broken", ["broken-lamp"]);
  await inWorld("broken", at("12:00:00"), async (world) => {
    await world.sync();
    await world.to(at("12:01:00"));
    const codes: number[] = [];
    const carried: Subscriber = { user_id: "bob", sid: "t", role: "admin", dept_id: null, depts: null };
    world.sockets.push({
      send: () => {
        throw new Error("gone");
      },
      close: (code) => void codes.push(code ?? 0),
      deserializeAttachment: () => carried,
    });
    const { told } = listen(world);
    noteLists(world.context, ["workorders"]);
    await world.to(at("12:01:05"));
    expect(codes).toEqual([4403]);
    expect(told.map(({ message }) => message)).toMatchObject([{ kind: "changes", lists: ["workorders"] }]);
  });
});

test("whoever was away for more than five minutes loads everything again", async () => {
  await aField("late", ["late-lamp"]);
  await inWorld("late", at("12:00:00"), async (world) => {
    await world.sync();
    await world.to(at("12:01:00"));
    listen(world);
    const { backlog } = world.context;
    backlog.noteDevice({ id: "a", current_state: "on" }, world.now);
    const { version } = backlog;
    backlog.noteDevice({ id: "b", current_state: "on" }, world.now);
    await world.to(at("12:05:00"));
    backlog.noteDevice({ id: "c", current_state: "on" }, world.now);
    expect(backlog.since(version)?.devices.map(({ id }) => id)).toEqual(["b", "c"]);
    await world.to(at("12:07:00"));
    backlog.noteDevice({ id: "d", current_state: "on" }, world.now);
    expect(backlog.since(version)).toBeNull();
  });
});

test("a hub is told of when it goes and when it is back, and not for every ping between", async () => {
  const city = await aCity("hubs", "local", 1, 1);
  await setting("hubs", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await inWorld(
    "hubs",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      await world.to(at("12:20:00"));
      const { told } = listen(world);
      const hints = () => told.filter(({ message }) => message.kind === "changes" && message.lists.includes("hubs"));
      await world.to(at("12:30:00"));
      expect(hints()).toHaveLength(0);
      city.simulator.fault("hubs-hub0", { kind: "offline" });
      await world.to(at("12:40:00"));
      expect(hints()).toHaveLength(1);
      city.simulator.fault("hubs-hub0");
      await world.to(at("12:50:00"));
      expect(hints()).toHaveLength(2);
    },
    city.equip,
  );
});

test("a hub that answers for the first time is told of, and so is one whose agent was away", async () => {
  const city = await aCity("firsts", "local", 1, 1);
  const id = await assignAgent("firsts");
  await setting("firsts", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await inWorld(
    "firsts",
    at("12:00:00"),
    async (world) => {
      const agent = new AnAgent(world, id);
      await agent.connect();
      await sql("UPDATE hubs SET agent_id = NULL WHERE org_id = 'firsts'").run();
      await world.sync();
      await world.to(at("12:00:01"));
      const { told } = listen(world);
      const hints = () => told.filter(({ message }) => message.kind === "changes" && message.lists.includes("hubs"));
      await world.to(at("12:02:00"));
      expect(hints().length).toBeGreaterThan(0);
      await sql("UPDATE hubs SET agent_id = ? WHERE org_id = 'firsts'", id).run();
      await world.sync();
      await world.to(at("12:30:00"));
      await agent.cut();
      await world.to(at("12:31:00"));
      const before = hints().length;
      await agent.connect();
      await world.to(at("12:31:30"));
      expect(hints().length).toBeGreaterThan(before);
    },
    city.equip,
  );
});

test("after a restore each browser loads anew: one that stayed, one that comes back, one that is ahead of a new object", async () => {
  await aCrowd("again", 2);
  let dump: Dump | null = null;
  let ahead = 0;
  const isToReload = (told: Told[]) =>
    told.some(
      ({ message }) => message.kind === "reload" || (message.kind === "changes" && message.lists.includes("devices")),
    );
  await inWorld("again", at("17:00:00"), async (world) => {
    await world.sync();
    dump = await dumpOf(world);
    const stays = listen(world);
    await world.to(at("18:00:30"));
    const [heard, before] = [world.context.backlog.version, stays.told.length];
    await bringBack(dump, world.now);
    world.wire.changed();
    await world.sync();
    const comes = listen(world, null, heard);
    await world.to(at("18:00:32"));
    expect(isToReload(stays.told.slice(before))).toBe(true);
    expect(isToReload(comes.told)).toBe(true);
    ahead = world.context.backlog.version + 3_600_000;
  });
  if (!dump) throw new Error("there is no backup");
  const kept: Dump = dump;
  await loseAll("again");
  await inWorld("again", at("18:10:00"), async (world) => {
    await bringBack(kept, world.now);
    world.wire.changed();
    await world.sync();
    const comes = listen(world, null, ahead);
    await world.to(at("18:10:02"));
    expect(isToReload(comes.told)).toBe(true);
    const { message } = comes.told.at(-1) ?? {};
    expect(message?.version).toBe(world.context.backlog.version);
  });
});

test("a hub that goes while D1 is away is told of once D1 is back, however many pings come between", async () => {
  const city = await aCity("away", "local", 1, 1);
  await setting("away", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await inWorld(
    "away",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      await world.to(at("12:20:00"));
      const { told } = listen(world);
      const hints = () => told.filter(({ message }) => message.kind === "changes" && message.lists.includes("hubs"));
      world.setDatabaseDown(true);
      city.simulator.fault("away-hub0", { kind: "offline" });
      await world.to(at("12:28:00"));
      expect(hints()).toHaveLength(0);
      world.setDatabaseDown(false);
      await world.to(at("12:32:00"));
      expect(hints()).toHaveLength(1);
    },
    city.equip,
  );
});
