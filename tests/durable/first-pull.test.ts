import { expect, test, vi } from "vitest";
import { readChanges, readLights, readPage, type Pulled } from "#durable/sync/pull";
import { GROUPS_A_PAGE, PAGE, PAGE_MEANWHILE } from "#durable/sync/pull-rows";
import { plan, plannedIds } from "#durable/state/plan";
import { syncLights } from "#durable/sync/sync";
import { inWorld, type World } from "#tests/support/engine";
import { aHarbor } from "#tests/support/harbor";
import { aField, aSchedule, events, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;
/** Two full pages and a bit. */
const MANY = 2 * PAGE + 10;

const numbers = (n: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${n})`;

/** A field with a lamp, and beside it one that has so many schedules, s-00001 and on, far in the future. */
async function aBusyField(org_id: string, schedules = MANY): Promise<void> {
  await aField(org_id, [`${org_id}-lamp`, `${org_id}-busy`]);
  await sql(
    `${numbers(schedules)} INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, timezone, updated_at)
     SELECT printf('${org_id}-s-%05d', i), ?1, ?1 || '-busy', 'Later', '2027-01-01T18:00:00.000Z',
       '2027-01-01T19:00:00.000Z', 'UTC', '2026-01-01' FROM n`,
    org_id,
  ).run();
}

/**
 * The most rows of a kind in each batch of questions to D1 from now on; `then` is what happens right after the nth, `before`
 * right before the first.
 */
function batches(
  world: World,
  then: (n: number) => Promise<unknown> = async () => undefined,
  before: () => Promise<unknown> = async () => undefined,
): number[] {
  const { db } = world.context;
  const sizes: number[] = [];
  world.context.db = new Proxy(db, {
    get: (of, key) =>
      key !== "batch"
        ? Reflect.get(of, key)
        : async (statements: Parameters<typeof db.batch>[0]) => {
            if (sizes.length === 0) await before();
            const results = await of.batch(statements);
            // What the outbox tells is no question.
            const rows = results.flatMap((answer) => (Array.isArray(answer) ? answer.length : []));
            if (rows.length === 0) return results;
            sizes.push(Math.max(...rows));
            await then(sizes.length);
            return results;
          },
  });
  return sizes;
}

/** A hint, and every page that it leads to: between two of them others have their turn. */
async function pulled(world: World): Promise<void> {
  await world.sync();
  await world.to(world.now);
}

function known(world: World, kind: "device" | "schedule" = "schedule"): number {
  return plannedIds(world.context.sql, kind).length;
}

/** How many schedules, or devices, are known at each switch from now on. */
function knownAtCalls(world: World, kind: "device" | "schedule" = "schedule"): number[] {
  const atCalls: number[] = [];
  world.wrapProvider((real) => ({
    switch: (...call) => {
      atCalls.push(known(world, kind));
      return real.switch(...call);
    },
  }));
  return atCalls;
}

test("a plan of several pages is read page by page, and none has more rows than a page", async () => {
  await aBusyField("a");
  await inWorld("a", at("12:00:00"), async (world) => {
    const sizes = batches(world);
    await pulled(world);
    expect(sizes).toEqual([PAGE, PAGE, 10]);
    expect(known(world)).toBe(MANY);
  });
});

test("a plan of one page is one question", async () => {
  await aBusyField("b", PAGE - 1);
  await inWorld("b", at("12:00:00"), async (world) => {
    const sizes = batches(world);
    await pulled(world);
    expect(sizes).toEqual([PAGE - 1]);
  });
});

test("more changes than a page holds are read as everything is", async () => {
  await aBusyField("c", 10);
  await inWorld("c", at("12:00:00"), async (world) => {
    await pulled(world);
    await sql(
      `${numbers(MANY)} INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, timezone)
       SELECT 'c-t-' || i, 'c', 'c-busy', 'Later', '2027-01-01T18:00:00.000Z', '2027-01-01T19:00:00.000Z', 'UTC' FROM n`,
    ).run();
    const sizes = batches(world);
    await pulled(world);
    expect(Math.max(...sizes)).toBe(PAGE);
    expect(known(world)).toBe(MANY + 10);
  });
});

test("where D1 fails between two pages the next pull begins again, and nothing is missing", async () => {
  await aBusyField("d");
  await aSchedule("d", "d-s-99999", at("18:00:00"), at("20:00:00"));
  await inWorld("d", at("12:00:00"), async (world) => {
    let isDown = true;
    batches(world, async () => world.setDatabaseDown(isDown));
    await pulled(world);
    expect(known(world)).toBe(PAGE);
    isDown = false;
    world.setDatabaseDown(false);
    await pulled(world);
    expect(known(world)).toBe(MANY + 1);
    await world.to(at("18:01:00"));
    expect(world.lamp("d-lamp")).toBe("on");
  });
});

test("what changes in D1 between two pages is known when the pull ends", async () => {
  await aBusyField("e");
  await inWorld("e", at("12:00:00"), async (world) => {
    batches(world, async (n) => {
      if (n !== 1) return;
      await sql("DELETE FROM schedules WHERE id = 'e-s-00001'").run(); // already read
      await sql("DELETE FROM schedules WHERE id = 'e-s-03000'").run(); // still to come
      await sql("UPDATE schedules SET status = 'canceled' WHERE id = 'e-s-00002'").run();
      await aSchedule("e", "e-r", at("18:00:00"), at("20:00:00")); // before the page that was read
    });
    await pulled(world);
    expect(known(world)).toBe(MANY - 1);
    expect(plan.schedule(world.context.sql, "e-s-00002")?.status).toBe("canceled");
    await world.to(at("18:01:00"));
    expect(world.lamp("e-lamp")).toBe("on");
  });
});

test("a restore between two pages begins the pull again", async () => {
  await aBusyField("f");
  await inWorld("f", at("12:00:00"), async (world) => {
    batches(world, async (n) => {
      if (n !== 2) return;
      await sql("DELETE FROM schedules WHERE id = 'f-s-00001'").run();
      await sql("DELETE FROM changes WHERE org_id = 'f'").run();
      await sql("UPDATE organizations SET epoch = 'restored', config_version = 1 WHERE id = 'f'").run();
    });
    await pulled(world);
    expect(known(world)).toBe(MANY - 1);
  });
});

test("a booking of a later page that a restore has removed lights nothing", async () => {
  await aBusyField("y");
  await aSchedule("y", "y-s-99999", at("18:00:00"), at("20:00:00"));
  await inWorld("y", at("12:00:00"), async (world) => {
    await pulled(world);
    await removeBefore("y", "y-s-99999");
    await pulled(world);
    expect(known(world)).toBe(MANY);
    await world.to(at("18:01:00"));
    expect(world.lamp("y-lamp")).toBe("off");
  });
});

test("a lamp that goes to a new light in a pull that D1 does not let end goes out all the same", async () => {
  await aBusyField("r");
  await sql("UPDATE devices SET cloud_device_id = 'r-one' WHERE id = 'r-lamp'").run();
  await aSchedule("r", "r-a", at("10:00:00"), at("20:00:00"));
  await inWorld("r", at("09:00:00"), async (world) => {
    await pulled(world);
    await world.to(at("10:01:00"));
    expect(world.lamp("r-one")).toBe("on");
    await sql("UPDATE devices SET cloud_device_id = 'r-two' WHERE id = 'r-lamp'").run();
    await sql(
      `INSERT INTO devices (id, org_id, area_id, hub_id, name, cloud_device_id)
       VALUES ('r-new', 'r', 'r-area', 'r-hub', 'New', 'r-one')`,
    ).run();
    await sql("UPDATE schedules SET title = 'Later still' WHERE org_id = 'r' AND device_id = 'r-busy'").run();
    batches(world, async () => world.setDatabaseDown(true));
    await pulled(world);
    expect([known(world), plan.device(world.context.sql, "r-new")]).toEqual([MANY + 1, expect.anything()]);
    await world.to(at("10:10:00"));
    expect([world.lamp("r-one"), world.lamp("r-two")]).toEqual(["off", "on"]);
    world.setDatabaseDown(false);
  });
});

test("a restore between two pages to the same version begins the pull again", async () => {
  await aBusyField("s");
  await inWorld("s", at("12:00:00"), async (world) => {
    batches(world, async (n) => {
      if (n === 2) await removeBefore("s", "s-s-00001");
    });
    await pulled(world);
    expect(known(world)).toBe(MANY - 1);
  });
});

test("a restore between the last page and what has changed meanwhile begins the pull again", async () => {
  await aBusyField("t");
  await inWorld("t", at("12:00:00"), async (world) => {
    batches(world, async (n) => {
      if (n === 2) await sql("UPDATE schedules SET title = 'Changed' WHERE id = 't-s-00002'").run();
      if (n === 3) await removeBefore("t", "t-s-00001");
    });
    await pulled(world);
    expect(known(world)).toBe(MANY - 1);
  });
});

/** A restore to before the schedule was made, at a version that is known already. */
async function removeBefore(org_id: string, id: string): Promise<void> {
  const version =
    (await sql("SELECT config_version AS v FROM organizations WHERE id = ?", org_id).first<number>("v")) ?? 0;
  await sql("DELETE FROM schedules WHERE id = ?", id).run();
  await sql("DELETE FROM changes WHERE org_id = ? AND version > ?", org_id, version).run();
  await sql("UPDATE organizations SET epoch = 'restored', config_version = ? WHERE id = ?", version, org_id).run();
}

test("what changes between two pages and is more than is read at once is known when the pull ends", async () => {
  await aBusyField("v");
  await inWorld("v", at("12:00:00"), async (world) => {
    batches(world, async (n) => {
      if (n === 1) await sql("DELETE FROM schedules WHERE org_id = 'v' AND id > 'v-s-00005'").run();
    });
    await pulled(world);
    expect(known(world)).toBe(5);
  });
});

test("where of what has changed the first alone is no longer known, everything is read", async () => {
  await aBusyField("z", 10);
  await inWorld("z", at("12:00:00"), async (world) => {
    await pulled(world);
    await sql("DELETE FROM schedules WHERE id = 'z-s-00001'").run();
    const version = await sql("SELECT config_version AS v FROM organizations WHERE id = 'z'").first<number>("v");
    await sql("UPDATE schedules SET title = 'Changed' WHERE id = 'z-s-00002'").run();
    await sql("DELETE FROM changes WHERE org_id = 'z' AND version <= ?", version).run();
    await pulled(world);
    expect(known(world)).toBe(9);
  });
});

test("where D1 is taken back to an older version, everything is read", async () => {
  await aBusyField("w", 10);
  await inWorld("w", at("12:00:00"), async (world) => {
    const version = await sql("SELECT config_version AS v FROM organizations WHERE id = 'w'").first<number>("v");
    await aSchedule("w", "w-a", at("18:00:00"), at("20:00:00"));
    await pulled(world);
    expect(known(world)).toBe(11);
    await sql("DELETE FROM schedules WHERE id = 'w-a'").run();
    await sql("DELETE FROM changes WHERE org_id = 'w' AND version > ?", version).run();
    await sql("UPDATE organizations SET config_version = ? WHERE id = 'w'", version).run();
    await pulled(world);
    expect(known(world)).toBe(10);
  });
});

test("no light comes before a hub of a later page, without which it would look cut off", async () => {
  await aField("x");
  await sql(
    `${numbers(PAGE)} INSERT INTO hubs (id, org_id, area_id, name)
     SELECT printf('x-a-%05d', i), 'x', 'x-area', 'Hub ' || i FROM n`,
  ).run();
  await inWorld("x", at("09:00:00"), async (world) => {
    const first = await readPage(world.context, "x", null);
    expect([first?.rows.hub.length, first?.rows.device]).toEqual([PAGE, []]);
    const second = await readPage(world.context, "x", first?.next ?? null);
    expect([second?.rows.hub.length, second?.rows.device]).toEqual([1, []]);
    const third = await readPage(world.context, "x", second?.next ?? null);
    expect([third?.rows.group, third?.rows.device]).toEqual([[], []]);
    const fourth = await readPage(world.context, "x", third?.next ?? null);
    expect(fourth?.rows.device).toHaveLength(1);
  });
});

test("groups come in pages of their own, each with its lights, and before the lights that they limit", async () => {
  await aField("grp", ["grp-a", "grp-b"]);
  await sql(
    `${numbers(GROUPS_A_PAGE + 1)} INSERT INTO device_groups (id, org_id, area_id, name)
     SELECT printf('grp-%05d', i), 'grp', 'grp-area', 'Pitch ' || i FROM n`,
  ).run();
  await sql(
    `INSERT INTO group_devices (org_id, group_id, device_id, added_at)
     SELECT 'grp', g.id, d.id, '2026-01-01' FROM device_groups g, devices d WHERE g.org_id = 'grp' AND d.org_id = 'grp'`,
  ).run();
  await inWorld("grp", at("09:00:00"), async (world) => {
    const first = await readPage(world.context, "grp", null);
    expect([first?.rows.group.length, first?.rows.device]).toEqual([GROUPS_A_PAGE, []]);
    expect(first?.rows.group[0]?.members).toEqual([
      { device_id: "grp-a", added_at: "2026-01-01" },
      { device_id: "grp-b", added_at: "2026-01-01" },
    ]);
    const second = await readPage(world.context, "grp", first?.next ?? null);
    expect([second?.rows.group.length, second?.rows.device]).toEqual([1, []]);
    const sizes = batches(world);
    await pulled(world);
    expect(sizes).toEqual([GROUPS_A_PAGE, 1, 2, 1]);
    expect(plan.membershipsOf(world.context.sql, "grp-b")).toHaveLength(GROUPS_A_PAGE + 1);
    await sql("DELETE FROM group_devices WHERE device_id = 'grp-b' AND group_id < 'grp-00003'").run();
    await pulled(world);
    expect(plan.membershipsOf(world.context.sql, "grp-b")).toHaveLength(GROUPS_A_PAGE - 1);
  });
});

test("a light that goes from one lit group to another stays lit, though D1 goes away between their pages", async () => {
  const org = "moves";
  await aField(org);
  await sql(
    `${numbers(GROUPS_A_PAGE + 1)} INSERT INTO device_groups (id, org_id, area_id, name)
     SELECT printf('${org}-%05d', i), ?1, ?1 || '-area', 'Pitch ' || i FROM n`,
    org,
  ).run();
  const [from, to] = [`${org}-00001`, `${org}-${String(GROUPS_A_PAGE + 1).padStart(5, "0")}`];
  await sql("INSERT INTO group_devices (org_id, group_id, device_id) VALUES (?, ?, ?)", org, from, `${org}-lamp`).run();
  for (const group of [from, to]) {
    await aSchedule(org, `on-${group}`, at("10:00:00"), at("20:00:00"));
    await sql("UPDATE schedules SET device_id = NULL, group_id = ?1 WHERE id = 'on-' || ?1", group).run();
  }
  await aSchedule(org, `${org}-own`, at("10:00:00"), at("10:30:00"));
  await inWorld(org, at("09:00:00"), async (world) => {
    await pulled(world);
    await world.to(at("10:29:00"));
    expect(world.lamp(`${org}-lamp`)).toBe("on");
    await sql("UPDATE group_devices SET group_id = ? WHERE org_id = ?", to, org).run();
    await sql("UPDATE organizations SET epoch = 'restored' WHERE id = ?", org).run();
    batches(world, async (n) => n === 1 && world.setDatabaseDown(true));
    await pulled(world);
    world.die();
    await world.to(at("10:40:00"));
    world.setDatabaseDown(false);
    await pulled(world);
    await world.to(at("10:50:00"));
    expect(world.lamp(`${org}-lamp`)).toBe("on");
    expect((await events(org)).filter((line) => line.includes(" off "))).toEqual([]);
    expect(plan.membershipsOf(world.context.sql, `${org}-lamp`).map(({ group_id }) => group_id)).toEqual([to]);
    await sql("DELETE FROM group_devices WHERE org_id = ?", org).run();
    await pulled(world);
    expect(plan.membershipsOf(world.context.sql, `${org}-lamp`)).toEqual([]);
  });
});

test("a toggle while groups are read knows those of its own light", async () => {
  await aField("own");
  await sql(
    `${numbers(3 * GROUPS_A_PAGE)} INSERT INTO device_groups (id, org_id, area_id, name)
     SELECT printf('own-%05d', i), 'own', 'own-area', 'Pitch ' || i FROM n`,
  ).run();
  const last = `own-${String(3 * GROUPS_A_PAGE).padStart(5, "0")}`;
  await sql("INSERT INTO group_devices (org_id, group_id, device_id) VALUES ('own', ?, 'own-lamp')", last).run();
  await sql(
    `INSERT INTO closures (id, org_id, group_id, from_at, reason, created_by)
     VALUES ('own-wet', 'own', ?, '2026-06-09T00:00:00.000Z', 'wet ground', 'someone')`,
    last,
  ).run();
  await inWorld("own", at("12:00:00"), async (world) => {
    world.wire.state = { kind: "slow", ms: 100 };
    await world.sync();
    await world.to(at("12:00:00.150"));
    expect(plan.group(world.context.sql, last)).toBeNull();
    expect(await world.toggle("own-lamp", "on")).toMatchObject({ success: false });
    expect(world.lamp("own-lamp")).toBe("off");
  });
});

test("a booking of an early page lights its light, also where another light has changed between two pages", async () => {
  await aBusyField("u");
  await aSchedule("u", "u-a", at("18:00:00"), at("20:00:00"));
  await inWorld("u", at("12:00:00"), async (world) => {
    batches(world, async (n) => {
      if (n === 1) await sql("UPDATE schedules SET title = 'Changed' WHERE id = 'u-s-00001'").run();
    });
    await pulled(world);
    await world.to(at("18:01:00"));
    expect(world.lamp("u-lamp")).toBe("on");
  });
});

test("a toggle waits for a light that came with a restore between two pages", async () => {
  await aBusyField("q");
  await inWorld("q", at("12:00:00"), async (world) => {
    world.wire.state = { kind: "slow", ms: 100 };
    batches(world, async (n) => {
      if (n !== 2) return;
      await sql(
        "INSERT INTO devices (id, org_id, area_id, hub_id, name) VALUES ('q-new', 'q', 'q-area', 'q-hub', 'New')",
      ).run();
      await sql("UPDATE organizations SET epoch = 'restored' WHERE id = 'q'").run();
    });
    await world.sync();
    await world.to(at("12:00:00.450"));
    expect(plan.device(world.context.sql, "q-new")).toBeNull();
    expect(await world.toggle("q-new", "on")).toMatchObject({ success: true });
    await world.to(at("12:00:10"));
    expect(world.lamp("q-new")).toBe("on");
    expect(known(world)).toBe(MANY);
  });
});

test("a light that the old and the restored plan hold does not go out between the pages", async () => {
  await aBusyField("g");
  await aSchedule("g", "g-a", at("10:00:00"), at("20:00:00"));
  await inWorld("g", at("09:00:00"), async (world) => {
    await pulled(world);
    await world.to(at("10:01:00"));
    expect(world.lamp("g-lamp")).toBe("on");
    await sql("DELETE FROM schedules WHERE id = 'g-a'").run();
    await aSchedule("g", "g-z", at("10:00:00"), at("20:00:00"));
    await sql("UPDATE organizations SET epoch = 'restored' WHERE id = 'g'").run();
    const lit: string[] = [];
    batches(world, async () => {
      await world.toggle("g-lamp", "on"); // somebody makes the engine look in between
      lit.push(world.lamp("g-lamp"));
    });
    await pulled(world);
    await world.to(at("10:05:00"));
    expect(lit.every((state) => state === "on")).toBe(true);
    expect(world.lamp("g-lamp")).toBe("on");
    expect(known(world)).toBe(MANY + 1);
  });
});

test("a lamp whose device a restore has removed gets its OFF, also if the first try to pull it failed", async () => {
  await aBusyField("h");
  await sql(
    "INSERT INTO devices (id, org_id, area_id, hub_id, name) VALUES ('h-old', 'h', 'h-area', 'h-hub', 'Old')",
  ).run();
  await aSchedule("h", "h-a", at("10:00:00"), at("20:00:00"), { device: "h-old" });
  await inWorld("h", at("09:00:00"), async (world) => {
    await pulled(world);
    await world.to(at("10:01:00"));
    expect(world.lamp("h-old")).toBe("on");
    await sql("DELETE FROM devices WHERE id = 'h-old'").run();
    await sql("UPDATE organizations SET epoch = 'restored' WHERE id = 'h'").run();
    let isDown = true;
    batches(world, async () => world.setDatabaseDown(isDown));
    await pulled(world);
    expect(world.lamp("h-old")).toBe("on");
    isDown = false;
    world.setDatabaseDown(false);
    await pulled(world);
    await world.to(at("10:02:00"));
    expect(world.lamp("h-old")).toBe("off");
  });
});

test("a toggle does not wait for the schedules of a city that is being read", async () => {
  await aBusyField("i");
  await inWorld("i", at("12:00:00"), async (world) => {
    world.wire.state = { kind: "slow", ms: 100 };
    await world.sync();
    await world.to(at("12:00:00.250"));
    expect(known(world)).toBe(PAGE);
    const atCalls = knownAtCalls(world);
    expect(await world.toggle("i-lamp", "on")).toMatchObject({ success: true });
    expect(atCalls).toEqual([PAGE]);
    await world.to(at("12:00:02"));
    expect(known(world)).toBe(MANY);
  });
});

test("also where D1 answers at once, others have their turn between two pages", async () => {
  await aBusyField("k");
  await inWorld("k", at("12:00:00"), async (world) => {
    await world.sync();
    expect(known(world)).toBe(PAGE);
    const atCalls = knownAtCalls(world);
    const answered = vi.fn<() => void>();
    world.beginToggle("k-lamp", "on", answered);
    await world.calm();
    expect(atCalls).toEqual([PAGE]);
    await world.to(at("12:00:02"));
    expect(answered).toHaveBeenCalledTimes(1);
    expect(known(world)).toBe(MANY);
  });
});

/** A field with a lamp, and so many other lights, whose ids come before the lamp's. */
async function aLargeCity(org_id: string, lights: number): Promise<void> {
  await aField(org_id, [`${org_id}-z`]);
  await sql(
    `${numbers(lights)} INSERT INTO devices (id, org_id, area_id, hub_id, name)
     SELECT printf('${org_id}-d-%05d', i), ?1, ?1 || '-area', ?1 || '-hub', 'Light ' || i FROM n`,
    org_id,
  ).run();
}

test("a toggle waits for its own light, not for those before it, and for small pages", async () => {
  await aLargeCity("l", 3 * PAGE);
  await aSchedule("l", "l-s", at("10:00:00"), at("20:00:00"), { device: "l-z" });
  await inWorld("l", at("09:00:00"), async (world) => {
    world.wire.state = { kind: "slow", ms: 100 };
    const sizes = batches(world);
    await world.sync();
    await world.to(at("09:00:00.250"));
    expect(known(world, "device")).toBe(PAGE);
    const atCalls = knownAtCalls(world, "device");
    expect(await world.toggle("l-z", "on")).toMatchObject({ success: true });
    // The page that was under way when it was asked for, and the light.
    expect(atCalls).toEqual([2 * PAGE + 1]);
    await world.to(at("09:00:10"));
    expect(sizes).toContain(PAGE_MEANWHILE);
    expect(known(world, "device")).toBe(3 * PAGE + 1);
    await world.toggle("l-z", "off");
    await world.to(at("10:01:00"));
    expect(world.lamp("l-z")).toBe("on");
  });
});

test("a light that came before its page makes no pull complete that fails after it", async () => {
  await aLargeCity("p", MANY);
  await inWorld("p", at("12:00:00"), async (world) => {
    world.wire.state = { kind: "slow", ms: 100 };
    const sizes = batches(world, async (n) => world.setDatabaseDown(n === 2));
    await world.sync();
    await world.to(at("12:00:00.150"));
    world.beginToggle("p-z", "on", () => undefined);
    await world.to(at("12:00:10"));
    // The page that was under way, and the light.
    expect(sizes).toEqual([PAGE, 1]);
    expect(known(world, "device")).toBe(PAGE + 1);
    world.setDatabaseDown(false);
    await pulled(world);
    await world.to(at("12:00:20"));
    expect(known(world, "device")).toBe(MANY + 1);
  });
});

test("whoever changes something during a first pull is not kept waiting for lights", async () => {
  await aLargeCity("m", MANY);
  await inWorld("m", at("12:00:00"), async (world) => {
    world.wire.state = { kind: "slow", ms: 100 };
    await world.sync();
    await world.to(at("12:00:00.150"));
    let knownThen = 0;
    void syncLights(world.context, []).then(() => (knownThen = known(world, "device")));
    await world.to(at("12:00:10"));
    expect(knownThen).toBe(PAGE);
    expect(known(world, "device")).toBe(MANY + 1);
  });
});

test("whoever waits for more lights than a page has waits for every page", async () => {
  await aLargeCity("n", MANY);
  await inWorld("n", at("12:00:00"), async (world) => {
    world.wire.state = { kind: "slow", ms: 100 };
    await world.sync();
    await world.to(at("12:00:00.150"));
    const lights = ["n-z", ...Array.from({ length: PAGE }, (_, n) => `n-d-${String(n + 1).padStart(5, "0")}`)];
    let knownThen = 0;
    void syncLights(world.context, lights).then(() => (knownThen = known(world, "device")));
    await world.to(at("12:00:10"));
    expect(knownThen).toBe(MANY + 1);
  });
});

test("what another release has pulled is pulled once more, since its copy may lack columns", async () => {
  await aField("shape");
  await aSchedule("shape", "shape-s", at("18:00:00"), at("20:00:00"));
  await inWorld("shape", at("12:00:00"), async (world) => {
    await pulled(world);
    const lose = () => world.tamper("UPDATE plan SET body = json_remove(body, '$.model') WHERE kind = 'device'");
    const models = () =>
      world.storage.sql.exec("SELECT body ->> '$.model' AS model FROM plan WHERE kind = 'device'").one();
    await sql("UPDATE devices SET model = 'LumaPole 60' WHERE org_id = 'shape'").run();
    await pulled(world);
    await world.to(at("12:10:00"));
    lose();
    await pulled(world);
    expect(models()).toEqual({ model: null });

    world.tamper("UPDATE meta SET value = 'of columns that nobody knows' WHERE key = 'plan_shape'");
    await pulled(world);
    expect(models()).toEqual({ model: "LumaPole 60" });

    // Release 1.0.0 has pulled a newer version, and does not say so.
    await sql("UPDATE devices SET notes = 'x', name = 'Renamed' WHERE org_id = 'shape'").run();
    await pulled(world);
    lose();
    await sql("UPDATE devices SET name = 'Again' WHERE org_id = 'shape'").run();
    world.tamper(
      "UPDATE meta SET value = ? WHERE key = 'version'",
      String((await sql("SELECT config_version AS v FROM organizations WHERE id = 'shape'").first<{ v: number }>())?.v),
    );
    await pulled(world);
    expect(models()).toEqual({ model: "LumaPole 60" });
    const batchesMade = batches(world);
    await pulled(world);
    expect(batchesMade).toEqual([]);
  });
});

test("a pull that finds more changes than it reads at once reads everything, and takes no light for gone", async () => {
  const devices = PAGE + 10;
  await aLargeCity("j", devices);
  await aSchedule("j", "j-s", at("10:00:00"), at("20:00:00"), { device: "j-z" });
  await inWorld("j", at("09:00:00"), async (world) => {
    await pulled(world);
    await world.to(at("10:01:00"));
    expect(world.lamp("j-z")).toBe("on");
    await sql("UPDATE schedules SET title = 'Renamed' WHERE id = 'j-s'").run();
    // An import of the whole city ends between the question for the version and the one for what has changed.
    const sizes = batches(world, undefined, () =>
      sql("UPDATE devices SET model = 'LumaPole 60' WHERE org_id = 'j'").run(),
    );
    await pulled(world);
    expect(sizes.length).toBeGreaterThan(1);
    expect(plannedIds(world.context.sql, "device")).toHaveLength(devices + 1);
    await world.to(at("10:05:00"));
    expect(world.lamp("j-z")).toBe("on");
  });
});

const ONE_MORE: Record<string, string[]> = {
  area: [
    "INSERT INTO areas (id, org_id, name, updated_at) VALUES ('new', ?1, 'New', '2026-01-01')",
    "UPDATE devices SET area_id = 'new', hub_id = NULL WHERE org_id = ?1 AND id = ?1 || '-z'",
  ],
  hub: [
    "INSERT INTO hubs (id, org_id, area_id, name) VALUES ('new', ?1, ?1 || '-area', 'New')",
    "UPDATE devices SET hub_id = 'new' WHERE org_id = ?1 AND id = ?1 || '-z'",
  ],
  group: [
    "INSERT INTO device_groups (id, org_id, area_id, name) VALUES ('new', ?1, ?1 || '-area', 'New')",
    "INSERT INTO group_devices (org_id, group_id, device_id) VALUES (?1, 'new', ?1 || '-z')",
    "UPDATE schedules SET device_id = NULL, group_id = 'new' WHERE org_id = ?1",
  ],
};

test.each([
  ["area", "mock"],
  ["hub", "local"],
  ["group", "mock"],
])("a lit light that gets a new %s between two pages does not go out, in %s mode", async (kind, mode) => {
  const org = `new-${kind}`;
  await aLargeCity(org, MANY);
  await setting(org, "PROVIDER_MODE", mode).run();
  await aSchedule(org, `${org}-s`, at("10:00:00"), at("20:00:00"), { device: `${org}-z` });
  await inWorld(org, at("09:00:00"), async (world) => {
    await pulled(world);
    await world.to(at("10:01:00"));
    expect(world.lamp(`${org}-z`)).toBe("on");
    const switched: string[] = [];
    world.wrapProvider((real) => ({
      switch: (address, action, ...more) => {
        switched.push(`${action} ${address.lamp}`);
        return real.switch(address, action, ...more);
      },
    }));
    await sql("UPDATE devices SET model = 'LumaPole 60' WHERE org_id = ?", org).run();
    batches(world, async (n) => {
      for (const statement of n === 1 ? (ONE_MORE[kind] ?? []) : []) await sql(statement, org).run();
    });
    await pulled(world);
    await world.to(at("10:05:00"));
    expect(switched).not.toContain(`off ${org}-z`);
    expect(world.lamp(`${org}-z`)).toBe("on");
    expect(known(world, "device")).toBe(MANY + 1);
    expect((await events(org)).filter((line) => line.includes("off"))).toEqual([]);
  });
});

test("groups with thousands of places in them are taken in, however much their rows hold together", async () => {
  const lamp = `grouped-lamp-${"x".repeat(24)}`;
  await aField("grouped", [lamp]);
  await sql(
    `${numbers(500)} INSERT INTO devices (id, org_id, area_id, name, updated_at)
     SELECT printf('grouped-%04d-${"x".repeat(24)}', i), d.org_id, d.area_id, 'Pole ' || i, d.updated_at FROM n, devices d WHERE d.id = ?`,
    lamp,
  ).run();
  await sql(
    `${numbers(50)} INSERT INTO device_groups (id, org_id, area_id, name, updated_at)
     SELECT printf('grouped-g-%02d', i), d.org_id, d.area_id, 'Group ' || i, d.updated_at FROM n, devices d WHERE d.id = ?`,
    lamp,
  ).run();
  await sql(
    `INSERT INTO group_devices (org_id, group_id, device_id, added_at)
     SELECT g.org_id, g.id, d.id, '2026-01-01T00:00:00.000Z' FROM device_groups g, devices d
     WHERE g.org_id = 'grouped' AND d.org_id = 'grouped'`,
  ).run();
  await aSchedule("grouped", "s-grouped", at("18:00:00"), at("19:00:00"), { device: lamp });
  await sql("UPDATE schedules SET device_id = NULL, group_id = 'grouped-g-50' WHERE id = 's-grouped'").run();
  await inWorld("grouped", at("12:00:00"), async (world) => {
    await pulled(world);
    expect(plannedIds(world.context.sql, "group")).toHaveLength(50);
    await world.to(at("18:00:01"));
    expect(world.lamp(lamp)).toBe("on");
  });
});

test("what has changed is read anew where D1 no longer has any list of changes", async () => {
  await aField("listless");
  await aSchedule("listless", "listless1", at("18:00:00"), at("22:00:00"));
  await inWorld("listless", at("17:00:00"), async (world) => {
    await world.sync();
    await sql("UPDATE schedules SET status = 'canceled' WHERE org_id = 'listless'").run();
    await sql("DELETE FROM changes WHERE org_id = 'listless'").run();
    await world.sync();
    await world.to(at("18:10:00"));
    expect(world.lamp("listless-lamp")).toBe("off");
  });
});

test("a city reads its own records alone, and of some lights no other's, whatever another city has and has changed", async () => {
  await aHarbor();
  await aField("fir", ["fir-b", "fir-a"]);
  await sql("INSERT INTO hubs (id, org_id, area_id, name) VALUES ('fir-hub-2', 'fir', 'fir-area', 'Hub 2')").run();
  await sql("UPDATE devices SET hub_id = 'fir-hub-2' WHERE id = 'fir-b'").run();
  for (const [group, light] of ["fir-as fir-a", "fir-bs fir-b"].map((pair) => pair.split(" "))) {
    await sql(`INSERT INTO device_groups (id, org_id, area_id) VALUES ('${group}', 'fir', 'fir-area')`).run();
    await sql(`INSERT INTO group_devices (org_id, group_id, device_id) VALUES ('fir', '${group}', '${light}')`).run();
  }
  const idsIn = (pulled: Pulled | null) =>
    Object.entries(pulled?.rows ?? {}).flatMap(([kind, rows]) => rows.map(({ id }) => `${kind} ${id}`));
  const [hubs, groups, lights] = [
    ["hub fir-hub", "hub fir-hub-2"],
    ["group fir-as", "group fir-bs"],
    ["device fir-a", "device fir-b"],
  ];
  const all = ["area fir-area", ...hubs, ...groups, ...lights];
  const none = { hub: null, group: null, device: null, schedule: null };
  await inWorld("fir", at("09:00:00"), async ({ context }) => {
    expect(idsIn(await readPage(context, "fir", null))).toEqual(all);
    expect(idsIn(await readPage(context, "fir", { ...none, hub: "" }))).toEqual(hubs);
    expect(idsIn(await readPage(context, "fir", { ...none, group: "" }))).toEqual(groups);
    expect(idsIn(await readPage(context, "fir", { ...none, device: "" }))).toEqual(lights);
    expect(idsIn(await readPage(context, "fir", { ...none, schedule: "" }))).toEqual([]);
    const some = await readLights(context, "fir", ["fir-a", "buoy"]);
    expect(idsIn(some)).toEqual(["hub fir-hub", "group fir-as", "device fir-a"]);
    const changed = await readChanges(context, "fir", 0);
    expect(idsIn(changed)).toEqual(all);
    const records = changed?.changed?.filter(({ kind }) => kind !== "settings") ?? [];
    expect(records.map(({ kind, record_id }) => `${kind} ${record_id}`).toSorted()).toEqual(all.toSorted());
    await sql("DELETE FROM changes WHERE org_id = 'fir' AND version < 3").run();
    expect(await readChanges(context, "fir", 0)).toBeNull();
  });
});
