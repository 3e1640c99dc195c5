import { env, runInDurableObject } from "cloudflare:test";
import { expect, test, vi } from "vitest";
import { organizationHash } from "#db/organization-hash";
import { OrgScheduler } from "#durable/org-scheduler";
import { transact } from "#durable/state/context";
import { flush } from "#durable/state/outbox";
import { D1_DEADLINE_MS } from "#durable/state/deadline";
import { putTimer } from "#durable/state/timers";
import { aField, setting, sql } from "#tests/support/light";

/** The object itself, on its own clock and its own alarm. */
async function inObject(
  org_id: string,
  story: (object: OrgScheduler, state: DurableObjectState) => Promise<void>,
): Promise<void> {
  await aField(org_id);
  const stub = env.SCHEDULER.get(env.SCHEDULER.idFromName(org_id));
  await stub.sync(org_id);
  await runInDurableObject(stub, async (object, state) => {
    if (!(object instanceof OrgScheduler)) throw new Error("another object");
    await story(object, state);
  });
}

test("the sweep sets an alarm that was lost", async () => {
  await inObject("a", async (object, { storage }) => {
    await storage.deleteAlarm();
    object.context.armed_at = null;
    await object.ensure("a");
    expect(await storage.getAlarm()).not.toBeNull();
  });
});

test("an object that starts with something overdue asks for its alarm", async () => {
  await inObject("overdue", async (_object, state) => {
    state.storage.sql.exec(
      "INSERT OR REPLACE INTO timers (kind, key, due_at) VALUES ('outbox', '', ?)",
      Date.now() - 60_000,
    );
    await state.storage.deleteAlarm();
    const again = new OrgScheduler(state, env);
    expect(await state.storage.getAlarm()).not.toBeNull();
    expect(again.context.armed_at).not.toBeNull();
  });
});

test("an alarm that breaks is set again all the same", async () => {
  await inObject("b", async (object, { storage }) => {
    await storage.deleteAlarm();
    object.context.after = () => {
      throw new Error("broken");
    };
    await object.alarm();
    expect(await storage.getAlarm()).not.toBeNull();
  });
});

test("an object whose alarms fail for ever tells people of it at the sweep, which sets its alarm", async () => {
  await inObject("broken", async (object, { storage }) => {
    const { after } = object.context;
    object.context.after = (ms, then) => {
      if (ms === 1_000) throw new Error("broken"); // the look at the plan, before anything is served
      return after(ms, then);
    };
    transact(object.context, () => putTimer(object.context.sql, "watchdog", "", Date.now() - 600_000));
    await object.alarm();
    await storage.deleteAlarm();
    const report = await object.ensure("broken");
    expect(report?.overdue.oldest_age_sec).toBeGreaterThan(590);
    expect(await storage.getAlarm()).not.toBeNull();
    await flush(object.context);
    const told = "SELECT what, over_at FROM alarms WHERE org_id = 'broken' AND kind = 'scheduler_late'";
    expect((await sql(told).all()).results).toEqual([{ what: "Late", over_at: null }]);
  });
});

test("a tick is one log line and one data point, which name the organization by its hash alone", async () => {
  await inObject("hashed", async (served, state) => {
    // The runtime's own alarm, which may ring meanwhile, would write a line more.
    served.alarm = async () => undefined;
    const points: AnalyticsEngineDataPoint[] = [];
    const METRICS = { writeDataPoint: (point: AnalyticsEngineDataPoint = {}) => void points.push(point) };
    const lines: string[] = [];
    const spy = vi.spyOn(console, "info").mockImplementation((line: string) => void lines.push(line));
    const object = new OrgScheduler(state, { ...env, METRICS });
    transact(object.context, () => putTimer(object.context.sql, "watchdog", "", Date.now()));
    await object.alarm();
    spy.mockRestore();
    const org = organizationHash("hashed", env.SESSION_SECRET);
    // The objects of the tests before are in this process, too, and may tick meanwhile.
    const ticks = lines.filter((line) => line.includes('"tick"') && line.includes(org));
    expect(ticks).toHaveLength(1);
    expect(JSON.parse(ticks[0] ?? "")).toMatchObject({ object: "scheduler", org, event: "tick", level: "info" });
    expect(ticks.join()).not.toContain("hashed");
    expect(points).toEqual([{ indexes: [org], blobs: ["tick", org], doubles: expect.any(Array) }]);
  });
});

test("a line has its time, and goes where the platform, and `npm start`, look for lines of its level", async () => {
  await inObject("levels", async (_, state) => {
    const { context } = new OrgScheduler(state, env);
    for (const level of ["info", "warn", "error"] as const) {
      const lines: string[] = [];
      const spy = vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line));
      context.log({ level, event: "levels.said" });
      spy.mockRestore();
      const said = lines.filter((line) => line.includes("levels.said")).map((line) => JSON.parse(line));
      expect(said).toEqual([
        { at: expect.any(String), object: "scheduler", org: expect.any(String), level, event: "levels.said" },
      ]);
    }
  });
});

/** A database that takes every question and answers none. */
function hang(object: OrgScheduler): void {
  const never = new Promise<never>(() => undefined);
  const hung: object = new Proxy(() => hung, { get: (_, key) => (key === "then" ? never.then.bind(never) : hung) });
  Object.assign(object.context, { db: hung });
}

test("the alarm ends although the database never answers", async () => {
  await inObject("c", async (object, { storage }) => {
    hang(object);
    transact(object.context, () => putTimer(storage.sql, "outbox", "", Date.now()));
    await object.alarm();
    expect(await storage.getAlarm()).not.toBeNull();
  });
});

test("a person waits 9 s in all, however slow the database is", async () => {
  await inObject("slow", async (object) => {
    hang(object);
    let now = Date.now();
    const waits: number[] = [];
    object.context.now = () => now;
    object.context.after = (ms, then) => {
      if (ms === D1_DEADLINE_MS) return () => undefined;
      waits.push(ms);
      now += 8_900;
      queueMicrotask(then);
      return () => undefined;
    };
    await object.endTest({ org_id: "slow", device_id: "slow-lamp" });
    expect(waits).toEqual([1_000, 100]);
  });
});

test("what the last incarnation had under way is taken for lost at the first tick of the next, a broken one last", async () => {
  await inObject("d", async (_object, state) => {
    const { sql } = state.storage;
    const ping = { device_id: null, target: null, seq: 1, address: { mode: "mock", hub: null } };
    for (const [hub, kind] of [
      ["hub:1", "poll_ping"],
      ["hub:2", "of no kind"],
      ["hub:3", "poll_ping"],
    ] as const) {
      const body = JSON.stringify({ ...ping, hub, kind });
      sql.exec("INSERT INTO calls (device_id, hub, until, body) VALUES (NULL, ?, 0, ?)", hub, body);
    }
    sql.exec("UPDATE calls SET until = ?", Date.now() + 600_000);
    const left = () => sql.exec("SELECT hub FROM calls").toArray();
    const again = new OrgScheduler(state, env);
    expect(left()).toHaveLength(3);
    await again.alarm();
    expect(left()).toEqual([{ hub: "hub:2" }]);
    for (let n = 2; n <= 5; n += 1) {
      sql.exec("UPDATE timers SET due_at = 0 WHERE kind = 'call'");
      again.context.sql.kept?.forget();
      await again.alarm();
    }
    expect(left()).toEqual([]);
  });
});

test("people and the connectivity tests come in by the object's own door", async () => {
  await inObject("door", async (object) => {
    const org_id = "door";
    // This object has the real clock: no guardrail may depend on the hour.
    await setting(org_id, "HARD_CURFEW_OFF", "").run();
    await setting(org_id, "BLACKOUT_WINDOW", "").run();
    const device_id = "door-lamp";
    const actor = { id: "someone", email: "someone@parks.example" };
    expect(await object.toggle({ org_id, device_id, action: "on", actor })).toMatchObject({
      success: true,
      state: "on",
    });
    expect((await object.readState({ org_id, device_id })).result).toMatchObject({ success: true, state: "on" });
    expect((await object.pingHub({ org_id, hub_id: "door-hub" })).result).toMatchObject({ success: true });
    const tested = await object.testSwitch({ org_id, device_id, action: "off" });
    expect(tested.verification_result).toEqual({ state: "off" });
    await object.endTest({ org_id, device_id });
    const [explained] = await object.explain({ org_id, device_ids: [device_id] });
    expect(explained).toMatchObject({ device_id, state: "on" });
    const { results } = await sql("SELECT action FROM device_events WHERE org_id = ? ORDER BY rowid", org_id).all();
    expect(results[0]).toEqual({ action: "on" });
  });
});
