import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { noteLateness, schedulerReport } from "#durable/monitoring/lateness";
import { transact } from "#durable/state/context";
import { putTimer } from "#durable/state/timers";
import { inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

const look = (world: World) => {
  const report = schedulerReport(world.context);
  noteLateness(world.context, report);
  return report;
};

async function alarmsOf(org_id: string) {
  const alarms = env.DB.prepare("SELECT what, why, over_at FROM alarms WHERE org_id = ? AND kind = 'scheduler_late'");
  return (await alarms.bind(org_id).all()).results;
}

async function textsOf(org_id: string) {
  const texts = env.DB.prepare("SELECT message FROM notifications WHERE org_id = ? AND kind = 'scheduler_late'");
  return (await texts.bind(org_id).all<{ message: string }>()).results.map(({ message }) => message);
}

test("a scheduler that was found late opens one alarm and one message, until it is found on time", async () => {
  await aField("late");
  await inWorld("late", at("12:00:00"), async (world) => {
    await world.ring();
    expect(look(world).overdue).toEqual({ count: 0, oldest_age_sec: null });
    expect(await alarmsOf("late")).toEqual([]);

    world.now += 7 * 60_000; // the alarm was lost
    const report = look(world);
    expect(report.overdue.oldest_age_sec).toBeGreaterThan(180);
    expect(report.last_tick_age_sec).toBe(420);
    await world.calm();
    world.now += 60_000;
    look(world);
    await world.calm();
    expect(await alarmsOf("late")).toEqual([
      { what: "Late", why: expect.stringMatching(/^what was due waited for [78] min/), over_at: null },
    ]);
    expect(await textsOf("late")).toEqual([expect.stringMatching(/^Alarm: The scheduler is [78] min late/)]);

    await world.ring();
    expect(look(world).overdue.count).toBe(0);
    await world.calm();
    expect(await alarmsOf("late")).toEqual([expect.objectContaining({ over_at: expect.any(String) })]);
    expect(await textsOf("late")).toHaveLength(1);
  });
});

test("re-checks that wait, and poison that is set aside, make no scheduler late", async () => {
  await aField("patient");
  await inWorld("patient", at("12:00:00"), async (world) => {
    await world.ring();
    transact(world.context, () => putTimer(world.context.sql, "recheck", "patient-lamp", world.now - 3_600_000));
    expect(schedulerReport(world.context).overdue).toEqual({ count: 0, oldest_age_sec: null });
  });
});

test("what a process had taken and died with is late as what nobody took", async () => {
  await aField("heir");
  await inWorld("heir", at("12:00:00"), async (world) => {
    await world.ring();
    const { sql } = world.context;
    transact(world.context, () => putTimer(sql, "wake", "heir-lamp", world.now - 300_000));
    const leased = (until: number) => sql.exec("UPDATE timers SET lease = ? WHERE kind = 'wake'", until);
    leased(world.now + 30_000);
    expect(schedulerReport(world.context).overdue).toEqual({ count: 0, oldest_age_sec: null });
    leased(world.now - 240_000);
    expect(schedulerReport(world.context).overdue).toEqual({ count: 1, oldest_age_sec: 240 });
  });
});

test.each([
  ["its place in the order", { seq: Date.parse(at("11:50:00")) }],
  ["the instant of a reading", { ts: at("11:50:00") }],
  ["the instant of a message", { created_at: at("11:50:00") }],
])("a record's age is told by %s, of the first that has any", async (_, body) => {
  const org_id = `age${Object.keys(body).join("")}`;
  await aField(org_id);
  await inWorld(org_id, at("12:00:00"), async (world) => {
    const insert = "INSERT INTO outbox (kind, key, body) VALUES ('of_the_future', ?, ?)";
    for (const [key, each] of Object.entries({ none: {}, aged: body })) world.tamper(insert, key, JSON.stringify(each));
    expect(schedulerReport(world.context).outbox).toEqual({ count: 2, oldest_age_sec: 600 });
  });
});

test("records that the database does not take are counted, with the age of the oldest", async () => {
  await aField("unsent");
  await aSchedule("unsent", "s", at("12:01:00"), at("12:30:00"));
  await inWorld("unsent", at("12:00:00"), async (world) => {
    await world.sync();
    world.setDatabaseDown(true);
    await world.to(at("12:10:00"));
    const { outbox, set_aside } = schedulerReport(world.context);
    expect(outbox.count).toBeGreaterThan(0);
    expect(outbox.oldest_age_sec).toBeGreaterThan(500);
    expect(outbox.oldest_age_sec).toBeLessThan(600);
    expect(set_aside).toBe(0);
    world.setDatabaseDown(false);
    await world.to(at("12:15:00"));
    expect(schedulerReport(world.context).outbox).toEqual({ count: 0, oldest_age_sec: null });
  });
});

test("a tick that does something is one line with counts, and no line carries a name", async () => {
  await aField("told");
  await aSchedule("told", "t", at("12:01:00"), at("12:30:00"));
  await inWorld("told", at("12:00:00"), async (world) => {
    const points: unknown[] = [];
    world.context.measure = (of) => void points.push(...of("hash"));
    await world.sync();
    await world.to(at("12:01:30"));
    const { ticks } = world;
    const sum = (field: string) => ticks.reduce((all, line) => all + Number(line[field]), 0);
    expect(sum("timers")).toBeGreaterThan(0);
    expect(sum("commands")).toBe(1);
    expect(sum("calls")).toBeGreaterThanOrEqual(1);
    expect(sum("settled")).toBe(sum("calls"));
    expect(sum("delivered")).toBeGreaterThan(0);
    expect(Math.max(...ticks.map(({ late_ms }) => Number(late_ms)))).toBeLessThan(1_000);
    expect(Object.keys(ticks[0] ?? {}).toSorted()).toEqual(
      "at calls commands delivered event failed late_ms level next_alarm_at settled timers waiting".split(" "),
    );
    expect(JSON.stringify(ticks)).not.toContain("told");
    expect(points).toHaveLength(ticks.length);
    expect(points[0]).toMatchObject({ indexes: ["hash"], blobs: ["tick", "hash"] });

    const before = ticks.length;
    await world.ring(); // nothing is due
    expect(ticks).toHaveLength(before);
  });
});

test("the sweep lights what a lost alarm left, where a record for D1 cannot be read", async () => {
  await aField("sx");
  await aSchedule("sx", "sx-s", at("18:00:00"), at("22:00:00"));
  await inWorld("sx", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:30:00"));
    world.tamper("INSERT INTO outbox (kind, key, body) VALUES ('scheduler_event', 'scheduler_event:bad', 'no record')");
    world.alarm_at = null; // the platform lost it
    world.sweepAfter(45 * 60_000);
    await world.to(at("18:20:00")).catch((error: unknown) => expect(String(error)).toBe("the sweep has rung it"));
    expect(world.lamp("sx-lamp")).toBe("on");
  });
});
