import { expect, test } from "vitest";
import { incident, openIncident } from "#durable/reporting/incidents";
import { pingHub } from "#durable/requests/connectivity";
import { transact } from "#durable/state/context";
import type { Fault } from "#tests/yolink/packets";
import { aCity, during, failSwitches, faultLamps, hubRow, spendAccount, vendorId } from "#tests/support/a-city";
import { inWorldOfLateRows as inWorld, type World } from "#tests/support/engine";
import { aField, aScheduleEach, events, messages, setting, sql } from "#tests/support/light";

/** What is wrong with the cloud counts against the cloud: not against the hubs, and not against the lights. */

const at = (clock: string) => `2026-06-10T${clock}Z`;
const OFFLINE =
  "cloud_offline not_sent: Alarm: The YoLink cloud does not answer: the lights that it switches are late.";
const BACK = "cloud_back not_sent: The YoLink cloud is back.";
const REFUSED =
  "cloud_refused not_sent: Alarm: The YoLink cloud does not accept our account: check the UAC key and the cloud base URL in Settings.";
const THROTTLED =
  "account_throttled not_sent: Alarm: The cloud account's limit of calls is reached: lights are switched late.";

test.each([
  ["silent", { kind: "silent" }],
  ["a page of a proxy", { kind: "html" }],
  ["out of order", { kind: "status", status: 503 }],
] as const)(
  "the cloud is %s for minutes: one message of its own, no hub is offline, every light is lit later",
  async (name, fault) => {
    const org = `cld${name.replaceAll(/\W/g, "")}`;
    const city = await aCity(org, "cloud", 3, 12);
    await setting(org, "HUB_CHECK_INTERVAL_SEC", 60).run();
    await setting(org, "HUB_OFFLINE_ALERT_MIN", 5).run();
    await aScheduleEach(org, city.lamps, at("18:00:00"), at("22:00:00"));
    await inWorld(
      org,
      at("17:55:00"),
      async (world) => {
        await world.sync();
        await world.to(at("17:59:00"));
        expect(await hubRow(`${org}-hub1`)).toMatch(/^online /);
        city.simulator.fault("cloud", fault);
        await world.to(at("18:03:00"));
        // Lights could not be switched: that waits for no HUB_OFFLINE_ALERT_MIN.
        expect(await messages(org)).toEqual([OFFLINE]);
        await world.to(at("18:09:00"));
        expect(city.lamps.filter(city.isLit)).toEqual([]);
        for (const n of [0, 1, 2]) expect(await hubRow(`${org}-hub${n}`)).toMatch(/^online /);
        expect(await messages(org)).toEqual([OFFLINE]);
        city.simulator.fault("cloud");
        await world.to(at("18:14:00"));
        expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
        expect(await messages(org)).toEqual([OFFLINE, BACK]);
      },
      city.equip,
    );
  },
);

test.each([
  ["refuses each call of a lamp", "010300", REFUSED],
  ["is out of order for each call of a lamp", "010000", OFFLINE],
])("a cloud that answers for its hubs, but %s, is told of once", async (_, number, alarm) => {
  const org = `half${number}`;
  const city = await aCity(org, "cloud", 3, 6);
  await setting(org, "HUB_CHECK_INTERVAL_SEC", 300).run();
  await aScheduleEach(org, city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    org,
    at("17:50:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:55:00"));
      faultLamps(city, { kind: "code", code: number });
      await world.to(at("18:40:00"));
      expect(await messages(org)).toEqual([alarm]);
      faultLamps(city);
      await world.to(at("18:51:00"));
      expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
      expect(await messages(org)).toEqual([alarm, BACK]);
    },
    city.equip,
  );
});

test.each([
  ["loop", "whose process stays", Infinity],
  ["loopanew", "whose process ends whenever it is idle", 2],
])(
  "%s: lights whose switching fails, while all else is answered, do not use up the account's calls, %s",
  async (org, _, ends_min) => {
    const city = await aCity(org, "cloud", 1, 8);
    await setting(org, "HUB_CHECK_INTERVAL_SEC", 180).run();
    await aScheduleEach(org, city.lamps, at("18:00:00"), at("22:00:00"));
    await inWorld(
      org,
      at("17:50:00"),
      async (world) => {
        await world.sync();
        await world.to(at("17:59:00"));
        const failing = failSwitches(city, null);
        for (let minute = 0; minute < 61; minute += 1) {
          await world.to(world.now + 60_000);
          if (minute % ends_min === 1) world.die();
        }
        // All of them twice, each with its retries, and then one at a time.
        expect(failing.asked).toBeGreaterThan(2 * 3 * 8);
        expect(failing.asked).toBeLessThan(4 * 3 * 8);
        failing.end();
        await world.to(at("19:10:00"));
        expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
      },
      city.equip,
    );
  },
);

test.each([
  ["cloud", "its lamp is broken"],
  ["hybrid", "the cloud does not reach it"],
])("a %s city's lights are lit when the cloud is back, be the one that is tried first dark since %s", async (mode) => {
  const org = `first${mode}`;
  const city = await aCity(org, mode, 2, 6);
  await sql("UPDATE hubs SET connection_mode = iif(name = 'Hub 0', 'local', 'cloud') WHERE org_id = ?", org).run();
  await setting(org, "HUB_CHECK_INTERVAL_SEC", 180).run();
  await setting(org, "WATCHDOG_ENABLED", false).run();
  await aScheduleEach(org, city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    org,
    at("17:50:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:59:00"));
      for (const n of [0, 2, 4]) city.simulator.fault(vendorId(n), { kind: "code", code: "000201" });
      const failing = failSwitches(city, null, "cloud");
      await world.to(at("18:40:00"));
      expect(await messages(org)).toContain(OFFLINE);
      expect(await messages(org)).not.toContain(BACK);
      failing.end();
      await world.to(at("19:00:00"));
      expect((await messages(org)).filter((line) => line === BACK)).toEqual([BACK]);
      expect(city.lamps.filter(city.isLit)).toEqual(city.lamps.filter((_, n) => n % 2 === 1));
    },
    city.equip,
  );
});

test.each([
  ["refuses", "010300", REFUSED],
  ["fails", "010000", OFFLINE],
])(
  "a cloud that answers readings, but %s each OFF, is told of once, and puts out all when it is back",
  async (_, code, alarm) => {
    const org = `owed${code}`;
    const city = await aCity(org, "cloud", 1, 4);
    await setting(org, "HUB_CHECK_INTERVAL_SEC", 180).run();
    await setting(org, "WATCHDOG_ENABLED", false).run();
    await aScheduleEach(org, city.lamps, at("18:00:00"), at("19:00:00"));
    await inWorld(
      org,
      at("17:50:00"),
      async (world) => {
        await world.sync();
        await world.to(at("18:30:00"));
        const failing = failSwitches(city, code);
        await world.to(at("20:30:00"));
        expect((await messages(org)).filter((line) => line.startsWith("cloud_"))).toEqual([alarm]);
        expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
        failing.end();
        await world.to(at("20:45:00"));
        expect(city.lamps.filter(city.isLit)).toEqual([]);
        expect((await messages(org)).filter((line) => line.startsWith("cloud_"))).toEqual([alarm, BACK]);
      },
      city.equip,
    );
  },
);

test("a cloud that was silent, and then did not know our account, is back once", async () => {
  const city = await aCity("twice", "cloud", 1, 2);
  await setting("twice", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await setting("twice", "HUB_OFFLINE_ALERT_MIN", 5).run();
  await inWorld(
    "twice",
    at("17:50:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:55:00"));
      const { credentials } = city.simulator.cloud;
      city.simulator.fault("cloud", { kind: "silent" });
      await world.to(at("18:05:00"));
      expect(await messages("twice")).toEqual([OFFLINE]);
      city.simulator.cloud.credentials = { ...credentials, secret: "another" };
      city.simulator.cloud.revokeAll();
      city.simulator.fault("cloud");
      await world.to(at("18:15:00"));
      expect(await messages("twice")).toEqual([OFFLINE, REFUSED]);
      city.simulator.cloud.credentials = credentials;
      await world.to(at("18:30:00"));
      expect(await messages("twice")).toEqual([OFFLINE, REFUSED, BACK]);
    },
    city.equip,
  );
});

test("a cloud that does not know our account: one message, and every light is lit once it does again", async () => {
  const city = await aCity("acc", "cloud", 2, 6);
  await setting("acc", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await aScheduleEach("acc", city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    "acc",
    at("17:59:00"),
    async (world) => {
      await world.sync();
      const { credentials } = city.simulator.cloud;
      city.simulator.cloud.credentials = { ...credentials, secret: "another" };
      await world.to(at("18:03:00"));
      expect(await messages("acc")).toEqual([REFUSED]);
      city.simulator.cloud.credentials = credentials;
      await world.to(at("18:10:00"));
      expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
      expect(await messages("acc")).toEqual([REFUSED, BACK]);
    },
    city.equip,
  );
});

test.each([
  ["silent", { kind: "silent" }, OFFLINE],
  ["closed to us", { kind: "status", status: 401, of: "token" }, REFUSED],
  ["out of calls", { kind: "status", status: 429, of: "api", retry_after_sec: 60 }, THROTTLED],
] as const)("a city that gives up a cloud that is %s has no alarm of it any more", async (name, fault, message) => {
  const org = `gup${name.replaceAll(/\W/g, "")}`;
  const city = await aCity(org, "cloud", 1, 1);
  await setting(org, "HUB_OFFLINE_ALERT_MIN", 5).run();
  await setting(org, "HUB_CHECK_INTERVAL_SEC", 60).run();
  await aScheduleEach(org, city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    org,
    at("17:59:00"),
    async (world) => {
      await world.sync();
      city.simulator.fault("cloud", fault);
      await world.to(at("18:10:00"));
      expect(await messages(org)).toEqual([message]);
      await setting(org, "PROVIDER_MODE", "local").run();
      await world.sync();
      await world.to(at("18:14:00"));
      expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
      expect(world.storage.sql.exec("SELECT incident FROM incidents").toArray()).toEqual([]);
      expect(await messages(org)).toEqual([message]);
    },
    city.equip,
  );
});

test("a cloud that a lit lamp is still owed an OFF by is trouble until that is over, however the city goes by now", async () => {
  const city = await aCity("owes", "cloud", 1, 1);
  await setting("owes", "HUB_OFFLINE_ALERT_MIN", 5).run();
  await setting("owes", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await aScheduleEach("owes", city.lamps, at("18:00:00"), at("22:00:00"));
  const troubles = (world: World) =>
    world.storage.sql
      .exec<{ incident: string }>("SELECT incident FROM incidents WHERE incident LIKE 'cloud:%'")
      .toArray();
  await inWorld(
    "owes",
    at("17:59:00"),
    async (world) => {
      await world.sync();
      await world.to(at("18:01:00"));
      city.simulator.fault("cloud", { kind: "silent" });
      await setting("owes", "PROVIDER_MODE", "mock").run();
      await world.sync();
      await world.to(at("18:20:00"));
      expect(troubles(world)).toEqual([{ incident: "cloud:silent" }]);
      expect(await messages("owes")).toEqual([OFFLINE]);
      city.simulator.fault("cloud");
      await world.to(at("18:40:00"));
      expect(city.lamps.filter(city.isLit)).toEqual([]);
      expect(troubles(world)).toEqual([]);
    },
    city.equip,
  );
});

test("hybrid, a hub and the cloud both silent: the hub is offline all the same", async () => {
  const city = await aCity("hcl", "hybrid", 1, 1);
  await inWorld(
    "hcl",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      for (const door of ["cloud", "hcl-hub0"]) city.simulator.fault(door, { kind: "silent" });
      await during(world, pingHub(world.context, "hcl-hub0"));
      expect(await hubRow("hcl-hub0")).toMatch(/^offline/);
    },
    city.equip,
  );
});

test("hybrid, the hubs are well again before the cloud: it is asked until it is back, by one hub, and no hub is blamed", async () => {
  const city = await aCity("asked", "hybrid", 3, 3);
  await setting("asked", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await setting("asked", "HUB_OFFLINE_ALERT_MIN", 5).run();
  await aScheduleEach("asked", city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    "asked",
    at("17:55:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:59:00"));
      const doors = ["cloud", "asked-hub0", "asked-hub1", "asked-hub2"];
      for (const door of doors) city.simulator.fault(door, { kind: "silent" });
      await world.to(at("18:07:00"));
      const aboutCloud = async () => (await messages("asked")).filter((message) => /cloud_/.test(message));
      expect(await aboutCloud()).toEqual([OFFLINE]);
      for (const door of doors.slice(1)) city.simulator.fault(door);
      await world.to(at("18:20:00"));
      expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
      for (const n of [0, 1, 2]) expect(await hubRow(`asked-hub${n}`)).toMatch(/^online /);
      expect(await aboutCloud()).toEqual([OFFLINE]);
      city.simulator.fault("cloud");
      const asked = () => city.simulator.journal.filter(({ door }) => door === "cloud").length;
      await world.to(at("18:26:00"));
      expect(await aboutCloud()).toEqual([OFFLINE, BACK]);
      expect(asked()).toBeGreaterThan(0);
      // Once it is back nobody asks it, where the hubs do all themselves.
      const before = asked();
      await world.to(at("19:00:00"));
      expect(asked()).toBe(before);
      for (const n of [0, 1, 2]) expect(await hubRow(`asked-hub${n}`)).toMatch(/^online /);
    },
    city.equip,
  );
});

test("hybrid, one light goes by the cloud alone and no hub does: it is asked until it is back, and the light is lit", async () => {
  const city = await aCity("onealone", "hybrid", 2, 3);
  const [alone = ""] = city.lamps;
  await setting("onealone", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await sql("UPDATE hubs SET connection_mode = 'local' WHERE org_id = 'onealone'").run();
  await sql("UPDATE devices SET hub_id = NULL WHERE id = ?", alone).run();
  await aScheduleEach("onealone", city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    "onealone",
    at("17:55:00"),
    async (world) => {
      await world.sync();
      city.simulator.fault("cloud", { kind: "silent" });
      await world.to(at("18:10:00"));
      expect(await messages("onealone")).toEqual([OFFLINE]);
      city.simulator.fault("cloud");
      await world.to(at("18:20:00"));
      expect(city.isLit(alone)).toBe(true);
      expect(await messages("onealone")).toEqual([OFFLINE, BACK]);
      for (const n of [0, 1]) expect(await hubRow(`onealone-hub${n}`)).toMatch(/^online /);
    },
    city.equip,
  );
});

test("hybrid, the cloud is silent: while one hub asks whether it is back, that hub's lights are switched at once", async () => {
  const city = await aCity("askfree", "hybrid", 1, 1);
  await setting("askfree", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await inWorld(
    "askfree",
    at("17:55:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:59:00"));
      transact(world.context, () => openIncident(world.context, "cloud:silent"));
      city.simulator.fault("cloud", { kind: "silent" });
      const asked = () =>
        world.storage.sql.exec("SELECT body ->> 'kind' AS kind FROM calls WHERE hub = 'cloud'").toArray();
      while (asked().length === 0) await world.to(world.now + 500);
      expect(await world.toggle("askfree-000", "on")).toMatchObject({ success: true, state: "on" });
      expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
      // The cloud has still not answered. A release before would take the question, if it were lost, for a ping.
      expect(asked()).toEqual([{ kind: "poll_ping" }]);
    },
    city.equip,
  );
});

test("hybrid, the account is given up while the cloud is away: hubs that do all themselves leave no alarm of it", async () => {
  const city = await aCity("gaveup", "hybrid", 2, 2);
  await setting("gaveup", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await aScheduleEach("gaveup", city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    "gaveup",
    at("17:55:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:59:00"));
      const doors = ["cloud", "gaveup-hub0", "gaveup-hub1"];
      for (const door of doors) city.simulator.fault(door, { kind: "silent" });
      await world.to(at("18:20:00"));
      for (const door of doors.slice(1)) city.simulator.fault(door);
      await world.to(at("18:30:00"));
      const aboutCloud = async () => (await messages("gaveup")).filter((message) => /cloud_/.test(message));
      expect(await aboutCloud()).toEqual([OFFLINE]);
      await setting("gaveup", "YOLINK_UAC_KEY", "").run();
      await world.sync();
      await world.to(at("18:40:00"));
      expect(await aboutCloud()).toEqual([OFFLINE]);
      expect(incident(world.context, "cloud:silent")).toBeNull();
      expect(incident(world.context, "cloud:refused")).toBeNull();
      // As ever: the account is trouble where nothing else reaches a light.
      await sql("UPDATE hubs SET connection_mode = 'cloud' WHERE id = 'gaveup-hub1'").run();
      await world.sync();
      await world.to(at("22:10:00"));
      expect(await aboutCloud()).toEqual([OFFLINE, REFUSED]);
      await world.to(at("22:30:00"));
      expect(await aboutCloud()).toEqual([OFFLINE, REFUSED]);
    },
    city.equip,
  );
});

test("hybrid, the account's calls were used up while a hub was away: once its lights are lit nothing is late", async () => {
  const city = await aCity("usedup", "hybrid", 1, 1);
  await setting("usedup", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await aScheduleEach("usedup", city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    "usedup",
    at("17:55:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:59:00"));
      city.simulator.fault("usedup-hub0", { kind: "silent" });
      spendAccount(world, Date.parse(at("17:59:50")));
      await world.to(at("18:02:00"));
      expect(incident(world.context, "account:cloud")).not.toBeNull();
      city.simulator.fault("usedup-hub0");
      await world.to(at("18:30:00"));
      expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
      expect(incident(world.context, "account:cloud")).toBeNull();
    },
    city.equip,
  );
});

test("hybrid, the cloud knows its hubs by other names: it is back all the same", async () => {
  const city = await aCity("othername", "hybrid", 2, 2);
  await sql(
    "UPDATE hubs SET name = 'Here ' || name, ip_address = '10.1.0.' || (1 + substr(name, 5)) WHERE org_id = 'othername'",
  ).run();
  await setting("othername", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await aScheduleEach("othername", city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    "othername",
    at("17:55:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:59:00"));
      const doors = ["cloud", "othername-hub0", "othername-hub1"];
      for (const door of doors) city.simulator.fault(door, { kind: "silent" });
      await world.to(at("18:20:00"));
      for (const door of doors.slice(1)) city.simulator.fault(door);
      await world.to(at("18:30:00"));
      city.simulator.fault("cloud");
      await world.to(at("18:45:00"));
      expect(incident(world.context, "cloud:silent")).toBeNull();
    },
    city.equip,
  );
});

test("a light without a hub is late by the cloud, too, and told as that", async () => {
  const city = await aCity("nohub", "cloud", 1, 1);
  await sql("UPDATE devices SET hub_id = NULL WHERE org_id = 'nohub'").run();
  await aScheduleEach("nohub", city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    "nohub",
    at("17:55:00"),
    async (world) => {
      await world.sync();
      city.simulator.fault("cloud", { kind: "silent" });
      await world.to(at("18:03:00"));
      expect(await messages("nohub")).toEqual([OFFLINE]);
      expect((await events("nohub")).at(-1)).toMatch(/scheduler on fail 3$/);
    },
    city.equip,
  );
});

const NO_LIGHT = "DELETE FROM devices WHERE org_id = ?";
const NO_HUBS = "DELETE FROM hubs WHERE org_id = ?";
const WITHOUT_HUB = ["UPDATE devices SET hub_id = NULL WHERE org_id = ?", NO_HUBS];
const BY_CLOUD = "UPDATE hubs SET connection_mode = 'cloud' WHERE org_id = ?";
const LOCAL = "UPDATE settings SET value = '\"local\"' WHERE org_id = ? AND key = 'PROVIDER_MODE'";

test.each(["cloud", "hybrid"])(
  "%s, no hub at all: the cloud is asked until it is back, and its light is lit",
  async (mode) => {
    const org = `none${mode}`;
    const city = await aCity(org, mode, 1, 1);
    for (const statement of WITHOUT_HUB) await sql(statement, org).run();
    await setting(org, "HUB_CHECK_INTERVAL_SEC", 60).run();
    await setting(org, "WATCHDOG_ENABLED", false).run();
    await aScheduleEach(org, city.lamps, at("18:00:00"), at("22:00:00"));
    await inWorld(
      org,
      at("17:55:00"),
      async (world) => {
        await world.sync();
        city.simulator.fault("cloud", { kind: "silent" });
        await world.to(at("18:10:00"));
        expect(await messages(org)).toEqual([OFFLINE]);
        world.die();
        await world.restart(at("18:10:10"));
        city.simulator.fault("cloud");
        await world.to(at("18:20:00"));
        expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
        expect(await messages(org)).toEqual([OFFLINE, BACK]);
        const asked = () => city.simulator.journal.length;
        const before = asked();
        await world.to(at("19:00:00"));
        expect(asked()).toBe(before);
      },
      city.equip,
    );
  },
);
const NO_WAY =
  "device_failed not_sent: Alarm: oweslocal-000 (Field 3) could not be switched on: The device has no hub.";

test.each([
  ["the last light of a city without hubs was deleted", "owesnolight", "hybrid", WITHOUT_HUB, [NO_LIGHT], []],
  ["a city without hubs is local by now", "oweslocal", "cloud", WITHOUT_HUB, [LOCAL], [NO_WAY]],
  ["the last hub was deleted with its light", "owesnohub", "hybrid", [BY_CLOUD], [NO_LIGHT, NO_HUBS], []],
])(
  "%s while the cloud is silent: its trouble is over once nothing is owed by it any more",
  async (_, org, mode, before, change, also) => {
    const city = await aCity(org, mode, 1, 1);
    for (const statement of before) await sql(statement, org).run();
    await setting(org, "HUB_CHECK_INTERVAL_SEC", 60).run();
    await aScheduleEach(org, city.lamps, at("18:00:00"), at("22:00:00"));
    await inWorld(
      org,
      at("17:55:00"),
      async (world) => {
        await world.sync();
        await world.to(at("18:05:00"));
        expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
        city.simulator.fault("cloud", { kind: "silent" });
        for (const statement of change) await sql(statement, org).run();
        await world.sync();
        await world.to(at("18:20:00"));
        expect(await messages(org)).toEqual([...also, OFFLINE]);
        city.simulator.fault("cloud");
        await world.to(at("18:40:00"));
        expect(city.lamps.filter(city.isLit)).toEqual([]);
        expect(incident(world.context, "cloud:silent")).toBeNull();
      },
      city.equip,
    );
  },
);

test("a person who switches while the cloud is silent reaches it, and is the first to find it well", async () => {
  const city = await aCity("cpr", "cloud", 1, 8);
  await aScheduleEach("cpr", city.lamps.slice(1), at("18:00:00"), at("22:00:00"));
  const [first = ""] = city.lamps;
  await inWorld(
    "cpr",
    at("17:59:00"),
    async (world) => {
      await world.sync();
      city.simulator.fault("cloud", { kind: "silent" });
      await world.to(at("18:00:45"));
      city.simulator.fault("cloud");
      expect(await world.toggle(first, "on")).toMatchObject({ success: true, provider: "cloud" });
      await world.to(at("18:01:30"));
      expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
    },
    city.equip,
  );
});

const REFUSALS: [string, Fault][] = [
  ["401", { kind: "status", status: 401, of: "token" }],
  ["429", { kind: "status", status: 429, of: "token", retry_after_sec: 20 }],
  ["503", { kind: "status", status: 503, of: "token" }],
];

test.each((["cloud", "local"] as const).flatMap((mode) => REFUSALS.map(([name, fault]) => ({ mode, name, fault }))))(
  "$mode, no token but HTTP $name as a window ends: the OFF is kept up until the light is dark",
  async ({ mode, name, fault }) => {
    const org = `tok${mode}${name}`;
    const city = await aCity(org, mode, 1, 2);
    await setting(org, "WATCHDOG_ENABLED", false).run();
    await setting(org, "HUB_CHECK_INTERVAL_SEC", 60).run();
    await aScheduleEach(org, city.lamps, at("18:00:00"), at("19:00:00"));
    await inWorld(
      org,
      at("17:59:00"),
      async (world) => {
        await world.sync();
        await world.to(at("18:59:00"));
        expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
        for (const { issuer } of city.simulator.hubs.values()) issuer.revokeAll();
        city.simulator.cloud.revokeAll();
        for (const door of ["cloud", `${org}-hub0`]) city.simulator.fault(door, fault);
        await world.to(at("19:02:00"));
        expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
        for (const door of ["cloud", `${org}-hub0`]) city.simulator.fault(door);
        await world.to(at("19:06:00"));
        expect(city.lamps.filter(city.isLit)).toEqual([]);
      },
      city.equip,
    );
  },
);

test("a refusal of a moment leaves nothing lit for longer than the next try", async () => {
  const city = await aCity("mom", "cloud", 1, 2);
  await setting("mom", "WATCHDOG_ENABLED", false).run();
  await aScheduleEach("mom", city.lamps, at("18:00:00"), at("19:00:00"));
  await inWorld(
    "mom",
    at("17:59:00"),
    async (world) => {
      await world.sync();
      await world.to(at("18:59:30"));
      city.simulator.cloud.revokeAll();
      city.simulator.fault("cloud", { kind: "status", status: 401, of: "token" });
      await world.to(at("19:00:05"));
      city.simulator.fault("cloud");
      expect((await events("mom")).filter((line) => line.includes("off"))).toEqual([
        expect.stringMatching(/scheduler off retry 1$/),
        expect.stringMatching(/scheduler off retry 1$/),
      ]);
      await world.to(at("19:00:45"));
      expect(city.lamps.filter(city.isLit)).toEqual([]);
      expect(await messages("mom")).not.toContainEqual(expect.stringMatching(/^device_failed/));
    },
    city.equip,
  );
});

test("a hybrid city needs the cloud as long as one of its lights has no hub, or one of its hubs is not local", async () => {
  await aField("alone", ["alone-a", "alone-b"]);
  await setting("alone", "PROVIDER_MODE", "hybrid").run();
  await sql("UPDATE hubs SET connection_mode = 'local' WHERE org_id = 'alone'").run();
  await sql("UPDATE devices SET hub_id = NULL WHERE id = 'alone-b'").run();
  await inWorld("alone", at("12:00:00"), async (world) => {
    await world.sync();
    transact(world.context, () => openIncident(world.context, "cloud:silent"));
    const isTrouble = () => incident(world.context, "cloud:silent") !== null;
    await sql("UPDATE devices SET name = 'Renamed' WHERE org_id = 'alone'").run();
    await world.sync();
    expect(isTrouble()).toBe(true);
    await sql("UPDATE devices SET hub_id = 'alone-hub' WHERE id = 'alone-b'").run();
    await world.sync();
    expect(isTrouble()).toBe(false);
    await sql("UPDATE hubs SET connection_mode = 'hybrid' WHERE org_id = 'alone'").run();
    await world.sync();
    transact(world.context, () => openIncident(world.context, "cloud:silent"));
    await sql("UPDATE devices SET name = 'Renamed again' WHERE org_id = 'alone'").run();
    await world.sync();
    expect(isTrouble()).toBe(true);
  });
});

test("what fails at the cloud after the city has gone another way is nobody's trouble for longer than a hub's next turn", async () => {
  await aField("late");
  await setting("late", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await inWorld("late", at("12:00:00"), async (world) => {
    await world.sync();
    await world.to(at("12:05:00"));
    transact(world.context, () => openIncident(world.context, "cloud:silent"));
    await world.to(at("12:07:00"));
    expect(incident(world.context, "cloud:silent")).toBeNull();
  });
});
