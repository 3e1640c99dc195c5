import { expect, test } from "vitest";
import { lampState } from "#durable/providers/mock";
import { memoryOf } from "#durable/state/device-memory";
import { aCity, vendorId, type City } from "#tests/support/a-city";
import { inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule, messages, notes, setting, sql } from "#tests/support/light";

/** Lights that are sockets of one strip, and what becomes of a socket whose light has it no more. */

const at = (clock: string) => `2026-06-10T${clock}Z`;
const STRIP = vendorId(0);

type Light = { cloud: string; local: string | null };

/** Lights of one strip, booked 18-22; with the sockets that are lit. */
async function aStrip(
  org: string,
  lights: Light[],
  story: (world: World, lit: () => number[], lamp: (n: number) => string, city: City) => Promise<void>,
): Promise<void> {
  const city = await aCity(org, "local", 1, lights.length);
  for (const [n, { cloud, local }] of lights.entries()) {
    const device = city.lamps[n] ?? "";
    await change(device, cloud, local);
    await aSchedule(org, `${org}-${n}`, at("18:00:00"), at("22:00:00"), { device });
  }
  await inWorld(
    org,
    at("17:00:00"),
    async (world) => {
      city.simulator.addLamp(STRIP, "Strip", "MultiOutlet", `${org}-hub0`, "YS6801-UC");
      const lit = () =>
        [0, 1, 2, 3, 4].filter((n) => city.simulator.lamps.get(STRIP)?.detail.includes(`socket ${n} on`));
      await world.sync();
      await world.to(at("19:00:00"));
      await story(world, lit, (n) => city.lamps[n] ?? "", city);
      await world.to(at("22:00:30"));
      expect(lit(), "after the bookings").toEqual([]);
    },
    city.equip,
  );
}

const change = (id: string, cloud: string, local: string | null) =>
  sql("UPDATE devices SET cloud_device_id = ?, local_ref = ? WHERE id = ?", cloud, local, id).run();

/** After half a minute, every five seconds until `end`: which sockets were lit at any time, and which at all times. */
async function litUntil(end: string, world: World, lit: () => number[]): Promise<{ ever: number[]; always: number[] }> {
  await world.to(world.now + 30_000);
  const ever = new Set<number>();
  let always = [0, 1, 2, 3, 4];
  while (world.now < Date.parse(at(end))) {
    await world.to(world.now + 5_000);
    const now = lit();
    for (const n of now) ever.add(n);
    always = always.filter((n) => now.includes(n));
  }
  return { ever: [...ever].toSorted(), always };
}

const TWO: Light[] = [
  { cloud: STRIP, local: "#2" },
  { cloud: STRIP, local: "#4" },
];

test("a socket whose light is deleted while it is lit is put out, and the light of the next one stays lit", async () => {
  await aStrip("gone-socket", TWO, async (world, lit, lamp) => {
    expect(lit()).toEqual([1, 2]);
    await sql("DELETE FROM devices WHERE id = ?", lamp(0)).run();
    await world.sync();
    expect(await litUntil("19:20:00", world, lit)).toEqual({ ever: [2], always: [2] });
    expect(await notes("gone-socket")).toContain("Off: the device was deleted while it was lit");
    expect(memoryOf(world.context.sql, lamp(0)).lit_since, "nothing is remembered of it").toBeNull();
  });
});

test("a socket that was the wrong one is put out, and the right one lit", async () => {
  await aStrip("wrong-socket", TWO, async (world, lit, lamp) => {
    await change(lamp(0), STRIP, "#8");
    await world.sync();
    expect(await litUntil("19:20:00", world, lit)).toEqual({ ever: [2, 3], always: [2, 3] });
  });
});

test("of a strip that becomes the light of one socket, the others are put out, and that one stays lit", async () => {
  await aStrip("split-strip", [{ cloud: STRIP, local: null }], async (world, lit, lamp) => {
    expect(lit()).toEqual([0, 1, 2, 3, 4]);
    await change(lamp(0), STRIP, "#2");
    await world.sync();
    expect(await litUntil("19:20:00", world, lit)).toEqual({ ever: [1], always: [1] });
    expect((await notes("split-strip")).filter((note) => note.includes("not sent"))).toEqual([]);
  });
});

test.each([
  ["is tried", "19:00:15"],
  ["is kept up", "19:04:30"],
])("what became of a strip's OFF that %s is told where a light is made of one socket of it", async (what, then) => {
  const org = `tried-${what.length}`;
  await aStrip(org, [{ cloud: STRIP, local: null }], async (world, lit, lamp, city) => {
    city.simulator.fault(STRIP, { kind: "offline" });
    await sql("DELETE FROM devices WHERE id = ?", lamp(0)).run();
    await world.sync();
    await world.to(at(then));
    await sql(
      `INSERT INTO devices (id, org_id, area_id, hub_id, name, cloud_device_id, updated_at)
       VALUES (?1 || '-anew', ?1, ?1 || '-area', ?1 || '-hub0', 'Anew', '${STRIP}#2', '2026-01-01')`,
      org,
    ).run();
    await world.sync();
    city.simulator.fault(STRIP);
    await world.to(at("19:30:00"));
    expect(lit()).toEqual([]);
    expect(await notes(org)).toContainEqual(expect.stringContaining("another light has its lamp"));
  });
});

test("the same where the Cloud ID names the sockets", async () => {
  await aStrip("narrowed", [{ cloud: `${STRIP}#6`, local: null }], async (world, lit, lamp) => {
    expect(lit()).toEqual([1, 2]);
    await change(lamp(0), `${STRIP}#2`, null);
    await world.sync();
    expect(await litUntil("19:20:00", world, lit)).toEqual({ ever: [1], always: [1] });
  });
});

test("a socket that moves from one light to another stays lit by that one", async () => {
  await aStrip("moved-socket", TWO, async (world, lit, lamp) => {
    await sql("DELETE FROM devices WHERE id = ?", lamp(0)).run();
    await change(lamp(1), STRIP, "#6");
    await world.sync();
    expect(await litUntil("19:20:00", world, lit)).toEqual({ ever: [1, 2], always: [1, 2] });
  });
});

test("the same where its payloads name the sockets, which is another one by now", async () => {
  await aStrip(
    "by-payload",
    [
      { cloud: STRIP, local: null },
      { cloud: STRIP, local: null },
    ],
    async (world, lit, lamp) => {
      const named = async (n: number, chs: number) => {
        const payloads = ["open", "close"].map((state) => JSON.stringify({ state, chs }));
        await sql("UPDATE devices SET on_payload = ?, off_payload = ? WHERE id = ?", ...payloads, lamp(n)).run();
      };
      await named(0, 2);
      await named(1, 4);
      await world.sync();
      await world.to(at("19:10:00"));
      expect(lit()).toEqual([1, 2]);
      await named(0, 8);
      await world.sync();
      await world.to(at("19:11:00"));
      expect(lit()).toEqual([2, 3]);
      await sql("DELETE FROM devices WHERE id = ?", lamp(0)).run();
      await world.sync();
      expect(await litUntil("19:40:00", world, lit)).toEqual({ ever: [2], always: [2] });
    },
  );
});

test.each([
  ["a number of sockets behind its id", "local_ref = NULL", "local_ref = cloud_device_id || '#1'"],
  ["another number of sockets", "local_ref = '#1'", "local_ref = '#2'"],
  ["a payload that names one", "on_payload = NULL", `on_payload = '{"state":"open","chs":1}'`],
])("a lamp that is no strip stays lit where it gets %s", async (what, before, after) => {
  const org = `plain-${what.length}`;
  const city = await aCity(org, "local", 1, 1);
  const [device = ""] = city.lamps;
  await aSchedule(org, `${org}-0`, at("18:00:00"), at("22:00:00"), { device });
  await inWorld(
    org,
    at("17:00:00"),
    async (world) => {
      const isLit = () => city.simulator.lamps.get(vendorId(0))?.isLit;
      await sql(`UPDATE devices SET ${before} WHERE id = ?`, device).run();
      await world.sync();
      await world.to(at("19:00:00"));
      await sql(`UPDATE devices SET ${after} WHERE id = ?`, device).run();
      await world.sync();
      while (world.now < Date.parse(at("19:10:00"))) {
        await world.to(world.now + 5_000);
        expect(isLit()).toBe(true);
      }
      expect(await messages(org)).toEqual([]);
      await world.to(at("22:00:30"));
      expect(isLit()).toBe(false);
    },
    city.equip,
  );
});

test("a lamp that is no strip gets its OFF when its hub is back where its number of sockets and its booking changed", async () => {
  const city = await aCity("plain-off", "local", 1, 1);
  const [device = ""] = city.lamps;
  await aSchedule("plain-off", "plain-off-0", at("18:00:00"), at("22:00:00"), { device });
  await change(device, vendorId(0), "#1");
  await inWorld(
    "plain-off",
    at("17:00:00"),
    async (world) => {
      await world.sync();
      await world.to(at("19:00:00"));
      city.simulator.fault("plain-off-hub0", { kind: "offline" });
      await change(device, vendorId(0), "#2");
      await sql("UPDATE schedules SET status = 'canceled' WHERE org_id = 'plain-off'").run();
      await world.sync();
      await world.to(at("19:10:00"));
      city.simulator.fault("plain-off-hub0");
      await world.to(at("19:20:00"));
      expect(city.isLit(device)).toBe(false);
    },
    city.equip,
  );
});

test("simulated lights of one strip are lamps of their own, too", async () => {
  const [one, other] = ["simulated-1", "simulated-2"];
  await aField("simulated", [one, other]);
  await change(one, STRIP, "#2");
  await change(other, STRIP, "#4");
  await setting("simulated", "WATCHDOG_ENABLED", true).run();
  await inWorld("simulated", at("12:00:00"), async (world) => {
    await world.sync();
    await world.toggle(one, "on");
    await world.to(at("12:20:00"));
    expect(memoryOf(world.context.sql, other)).toMatchObject({ reported: "off", lit_since: null });
    await sql("DELETE FROM devices WHERE id = ?", one).run();
    await world.sync();
    await world.to(at("12:21:00"));
    expect(await notes("simulated")).toContain("Off: the device was deleted while it was lit");
    expect(await messages("simulated")).toEqual([]);
  });
});

test("a simulated socket that was the wrong one is put out", async () => {
  const [one, other] = ["resocketed-1", "resocketed-2"];
  await aField("resocketed", [one, other]);
  await change(one, STRIP, "#2");
  await change(other, STRIP, "#4");
  await inWorld("resocketed", at("12:00:00"), async (world) => {
    await world.sync();
    await world.toggle(one, "on");
    await world.to(at("12:01:00"));
    await change(one, STRIP, "#8");
    await world.sync();
    await world.to(at("12:02:00"));
    expect(lampState(world.context.sql, `${STRIP}#2`)).toBe("off");
    expect(await notes("resocketed")).toContain("Off: its address was changed while it was lit");
  });
});
