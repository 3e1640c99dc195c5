import { expect, test } from "vitest";
import { pingHub } from "#durable/requests/connectivity";
import { aCity, during, spendAccount, vendorId, type City } from "#tests/support/a-city";
import { inWorldOfLateRows as inWorld, type World } from "#tests/support/engine";
import { aSchedule, aScheduleEach, events, messages, notes, setting } from "#tests/support/light";

/** Lamps that are called busy for longer than a minute, and hubs that let no call through for so long. */

const at = (clock: string) => `2026-06-10T${clock}Z`;
const BUSY = { kind: "code", code: "020104" } as const;
const FULL = { kind: "status", status: 429, of: "api", retry_after_sec: 20 } as const;
/** Who is too busy: the first lamp, or its hub. */
const LAMP = () => vendorId(0);
const HUB = (org: string) => `${org}-hub0`;

/** A city, each lamp behind a hub of its own, from five minutes before its evening begins. */
async function live(
  org: string,
  { mode = "local", lights = 1 },
  act: (world: World, city: City, lamp: string) => Promise<void>,
): Promise<void> {
  const city = await aCity(org, mode, lights, lights);
  const [lamp = ""] = city.lamps;
  await inWorld(org, at("17:55:00"), (world) => act(world, city, lamp), city.equip);
}

const rowsOf = (world: World, table: "commands" | "incidents") =>
  world.storage.sql.exec(`SELECT * FROM ${table}`).toArray();

test.each([
  ["local", "a lamp", LAMP, BUSY, "the device is busy"],
  ["cloud", "a lamp", LAMP, BUSY, "the device is busy"],
  ["local", "a hub", HUB, { ...FULL, retry_after_sec: 60 }, "there are too many calls"],
] as const)(
  "%s, %s has no time for an hour: people are told once, and the light is switched when it has",
  async (mode, name, who, fault, says) => {
    const org = `bsy-${mode}${name.slice(2)}`;
    await live(org, { mode }, async (world, city, lamp) => {
      const busy = async (from: string, to: string) => {
        await world.to(at(from));
        city.simulator.fault(who(org), fault);
        await world.to(at(to));
        city.simulator.fault(who(org));
      };
      await setting(org, "WATCHDOG_ENABLED", false).run();
      await aScheduleEach(org, city.lamps, at("18:00:00"), at("22:00:00"));
      await world.sync();
      await busy("17:59:30", "19:00:00");
      expect(await messages(org)).toEqual([
        expect.stringMatching(`^device_failed .*could not be switched on: .*${says}`),
      ]);
      const [row] = world.storage.sql.exec("SELECT problem FROM device_memory").toArray();
      expect(row?.problem).not.toBeNull();
      await world.to(at("19:20:00"));
      expect(city.isLit(lamp)).toBe(true);
      expect(rowsOf(world, "incidents")).toEqual([]);
      await busy("21:59:30", "22:30:00");
      await world.to(at("22:45:00"));
      expect(city.isLit(lamp)).toBe(false);
      expect(rowsOf(world, "commands")).toEqual([]);
      expect((await messages(org)).filter((line) => line.startsWith("device_failed"))).toHaveLength(2);
    });
  },
);

test.each([
  ["bhnone", "the city has no account there"],
  ["bhaway", "the cloud does not answer"],
])(
  "%s, hybrid, a hub has no time for an hour, and %s: people are told of the light, and it is lit when the hub has",
  async (org) => {
    await live(org, { mode: "hybrid" }, async (world, city, lamp) => {
      if (org === "bhnone") await setting(org, "YOLINK_UAC_KEY", "").run();
      else city.simulator.fault("cloud", { kind: "offline" });
      await aScheduleEach(org, city.lamps, at("18:00:00"), at("22:00:00"));
      await world.sync();
      await world.to(at("17:59:30"));
      city.simulator.fault(HUB(org), FULL);
      await world.to(at("19:00:00"));
      const told = await messages(org);
      expect(told.filter((line) => line.startsWith("device_failed"))).toEqual([
        expect.stringContaining("there are too many calls"),
      ]);
      expect(told.filter((line) => line.startsWith("cloud_refused"))).toEqual([]);
      city.simulator.fault(HUB(org));
      await world.to(at("19:06:00"));
      expect(city.isLit(lamp)).toBe(true);
    });
  },
);

test.each([
  ["lamp", LAMP, BUSY],
  ["hub", HUB, FULL],
] as const)("a %s has time again: the field is lit within five minutes", async (name, who, fault) => {
  const org = `again-${name}`;
  await live(org, {}, async (world, city, lamp) => {
    await setting(org, "WATCHDOG_INTERVAL_SEC", 1_800).run();
    await aScheduleEach(org, city.lamps, at("18:00:00"), at("22:00:00"));
    await world.sync();
    await world.to(at("17:59:30"));
    city.simulator.fault(who(org), fault);
    await world.to(at("18:20:00"));
    city.simulator.fault(who(org));
    await world.to(at("18:25:30"));
    expect(city.isLit(lamp)).toBe(true);
  });
});

test("a booking that begins asks a lamp anew that was too busy for the one before, and has its own record", () =>
  live("bnew", {}, async (world, city, lamp) => {
    await aSchedule("bnew", "bnew1", at("18:00:00"), at("22:00:00"), { device: lamp });
    await aSchedule("bnew", "bnew2", at("18:08:00"), at("23:00:00"), { device: lamp });
    await aSchedule("bnew", "bnew3", at("18:16:00"), at("23:00:00"), { device: lamp });
    await world.sync();
    await world.to(at("17:59:30"));
    city.simulator.fault(LAMP(), BUSY);
    await world.to(at("18:15:50"));
    city.simulator.fault(LAMP());
    await world.to(at("18:16:20"));
    expect(city.isLit(lamp)).toBe(true);
    const told = await events("bnew");
    expect(told.filter((line) => line.endsWith("on fail 3"))).toHaveLength(2);
    expect(told.at(-1)).toMatch(/^18:16:.. scheduler on ok 1$/);
    expect(await messages("bnew")).toHaveLength(1);
  }));

test("an ON that was tried in vain, and is kept up until its booking is over, is not said not to have been sent", () =>
  live("bover", {}, async (world, city, lamp) => {
    await setting("bover", "WATCHDOG_ENABLED", false).run();
    await aSchedule("bover", "bover1", at("18:00:00"), at("18:30:00"), { device: lamp });
    await world.sync();
    await world.to(at("17:59:30"));
    city.simulator.fault(LAMP(), BUSY);
    await world.to(at("18:40:00"));
    expect((await events("bover")).slice(2)).toEqual(["18:01:40 scheduler on fail 3", "18:30:00 watchdog on retry 0"]);
    expect((await notes("bover")).at(-1)).toBe(
      "On until 6:30 PM: Practice · not tried again, no longer wanted: Off: nothing is scheduled",
    );
  }));

test.each([{ kind: "stuck" }, { kind: "offline" }, { kind: "code", code: "000201" }] as const)(
  "an OFF that a lamp was too busy for is kept up also after a try that failed otherwise (%o): nobody else puts it out",
  async (fault) => {
    const org = `other-${fault.kind}`;
    await live(org, {}, async (world, city, lamp) => {
      await setting(org, "WATCHDOG_ENABLED", false).run();
      await aSchedule(org, `${org}1`, at("18:00:00"), at("19:00:00"), { device: lamp });
      await world.sync();
      await world.to(at("18:59:30"));
      city.simulator.fault(LAMP(), BUSY);
      await world.to(at("19:04:00"));
      city.simulator.fault(LAMP(), fault);
      await world.to(at("19:20:00"));
      city.simulator.fault(LAMP());
      await world.to(at("19:55:00"));
      expect(city.isLit(lamp)).toBe(false);
      expect(rowsOf(world, "commands")).toEqual([]);
      expect(rowsOf(world, "incidents")).toEqual([]);
      expect(await messages(org)).toHaveLength(1);
    });
  },
);

test.each([
  ["bpress", {}, false],
  ["bheld", { until: at("20:00:00") }, true],
  ["bemerg", { until: at("20:00:00"), emergency: true, reason: "search" }, true],
])(
  "%s: a person's ON (%o) of a busy lamp is tried for longer only where it has an end (%s)",
  async (org, more, isLit) => {
    await live(org, {}, async (world, city, lamp) => {
      await setting(org, "WATCHDOG_ENABLED", true).run();
      await world.sync();
      city.simulator.fault(LAMP(), BUSY);
      await world.toggle(lamp, "on", more);
      await world.to(at("19:30:00"));
      expect(await messages(org)).toHaveLength(1);
      city.simulator.fault(LAMP());
      await world.to(at("19:50:00"));
      expect(city.isLit(lamp)).toBe(isLit);
      await world.to(at("20:10:00"));
      expect(city.isLit(lamp)).toBe(false);
      expect(rowsOf(world, "incidents")).toEqual([]);
      expect(rowsOf(world, "commands")).toEqual([]);
    });
  },
);

test("a booking that holds the light, too, keeps a person's ON of a busy lamp up", () =>
  live("bboth", {}, async (world, city, lamp) => {
    await aSchedule("bboth", "bboth1", at("17:50:00"), at("22:00:00"), { device: lamp });
    await world.sync();
    city.simulator.fault(LAMP(), BUSY);
    await world.toggle(lamp, "on");
    await world.to(at("19:30:00"));
    city.simulator.fault(LAMP());
    await world.to(at("19:36:00"));
    expect(city.isLit(lamp)).toBe(true);
  }));

test("a hub that was away meanwhile is back: an ON that it was too busy for does not wait", () =>
  live("bback", {}, async (world, city, lamp) => {
    const ping = () => during(world, pingHub(world.context, HUB("bback")));
    await aSchedule("bback", "bback1", at("18:00:00"), at("22:00:00"), { device: lamp });
    await world.sync();
    await world.to(at("17:59:30"));
    city.simulator.fault(HUB("bback"), FULL);
    await world.to(at("18:04:00"));
    city.simulator.fault(HUB("bback"), { kind: "offline" });
    await ping();
    await ping();
    city.simulator.fault(HUB("bback"));
    await ping();
    await world.to(world.now + 3_000);
    expect(city.isLit(lamp)).toBe(true);
  }));

test("the account's limit is over though one lamp is too busy for hours: that is the lamp's own trouble", () =>
  live("bh", { mode: "cloud", lights: 2 }, async (world, city) => {
    const [, well = ""] = city.lamps;
    await aScheduleEach("bh", city.lamps, at("18:00:00"), at("22:00:00"));
    await world.sync();
    await world.to(at("17:59:30"));
    spendAccount(world);
    await world.to(at("18:04:00"));
    city.simulator.fault(LAMP(), BUSY);
    await world.to(at("18:20:00"));
    await world.toggle(well, "on");
    await world.to(at("18:30:00"));
    expect(city.lamps.map(city.isLit)).toEqual([false, true]);
    expect(rowsOf(world, "incidents")).toEqual([expect.objectContaining({ incident: "device:bh-000" })]);
  }));

test("a lamp that was busy once is not at fault while the account's limit of calls holds its switch back", () =>
  live("bo", { mode: "cloud" }, async (world, city, lamp) => {
    await aScheduleEach("bo", city.lamps, at("18:00:00"), at("22:00:00"));
    await world.sync();
    await world.to(at("17:59:30"));
    city.simulator.fault(LAMP(), BUSY);
    await world.to(at("18:00:05"));
    city.simulator.fault(LAMP());
    // Lights elsewhere have taken all that the account has, and take the places that become free.
    spendAccount(world, world.now - 240_000);
    await world.to(at("18:01:10"));
    spendAccount(world);
    await world.to(at("18:10:00"));
    expect(city.isLit(lamp)).toBe(true);
    expect(await events("bo")).toEqual([expect.stringMatching(/ on ok 1$/)]);
    expect((await messages("bo")).filter((line) => line.startsWith("device_failed"))).toEqual([]);
  }));
