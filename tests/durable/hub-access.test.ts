import { expect, test } from "vitest";
import { pingHub } from "#durable/requests/connectivity";
import { aCity, during, failSwitches, faultLamps, hubRow } from "#tests/support/a-city";
import { inWorld } from "#tests/support/engine";
import { aScheduleEach, messages, setting, sql } from "#tests/support/light";

/** A hub that answers but does not let us in is neither online nor offline: somebody has to do something. */

const at = (clock: string) => `2026-06-10T${clock}Z`;
const REFUSES =
  "hub_refused not_sent: Alarm: Hub Hub 0 (Field 3) needs attention: check its IP address and its local credentials.";
const BACK = "hub_back not_sent: Hub Hub 0 (Field 3) is back.";

test.each(["local", "hybrid"] as const)(
  "%s, a hub that refuses our credentials needs attention, is told once, and is online when it accepts them again",
  async (mode) => {
    const org = `acs${mode}`;
    const city = await aCity(org, mode, 1, 3);
    await setting(org, "HUB_CHECK_INTERVAL_SEC", 60).run();
    await aScheduleEach(org, city.lamps, at("18:00:00"), at("22:00:00"));
    await inWorld(
      org,
      at("17:50:00"),
      async (world) => {
        await world.sync();
        await world.to(at("17:55:00"));
        expect(await hubRow(`${org}-hub0`)).toMatch(/^online /);
        const issuer = city.simulator.hubs.get(`${org}-hub0`)?.issuer;
        if (!issuer) throw new Error("no hub");
        const { credentials } = issuer;
        issuer.credentials = { ...credentials, secret: "changed in the app" };
        issuer.revokeAll();
        await world.to(at("18:20:00"));
        expect(await hubRow(`${org}-hub0`)).toMatch(/^needs attention /);
        expect(await messages(org)).toEqual([REFUSES]);
        // By hybrid the cloud has lit them; by the hub alone nothing could.
        expect(city.lamps.filter(city.isLit)).toHaveLength(mode === "hybrid" ? 3 : 0);
        issuer.credentials = credentials;
        await world.to(at("18:25:00"));
        expect(await hubRow(`${org}-hub0`)).toMatch(/^online /);
        expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
        expect(await messages(org)).toEqual([REFUSES, BACK]);
      },
      city.equip,
    );
  },
);

test.each([true, false])(
  "a hub that lists its lamps but lets us switch none is told of once, with the watchdog on: %s",
  async (isWatched) => {
    const org = `lists${isWatched}`;
    const city = await aCity(org, "local", 1, 3);
    await setting(org, "HUB_CHECK_INTERVAL_SEC", 60).run();
    await setting(org, "WATCHDOG_ENABLED", isWatched).run();
    await aScheduleEach(org, city.lamps, at("18:00:00"), at("22:00:00"));
    await inWorld(
      org,
      at("17:50:00"),
      async (world) => {
        await world.sync();
        await world.to(at("17:55:00"));
        faultLamps(city, { kind: "code", code: "010300" });
        await world.to(at("18:40:00"));
        expect(await hubRow(`${org}-hub0`)).toMatch(/^needs attention /);
        expect(await messages(org)).toEqual([REFUSES]);
        faultLamps(city);
        await world.to(at("18:45:00"));
        expect(await hubRow(`${org}-hub0`)).toMatch(/^online /);
        expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
        expect(await messages(org)).toEqual([REFUSES, BACK]);
      },
      city.equip,
    );
  },
);

test.each([true, false])(
  "a hub that lists its lamps but lets us put out none is told of once, with the watchdog on: %s",
  async (isWatched) => {
    const org = `burns${isWatched}`;
    const city = await aCity(org, "local", 1, 3);
    await setting(org, "HUB_CHECK_INTERVAL_SEC", 180).run();
    await setting(org, "WATCHDOG_ENABLED", isWatched).run();
    await aScheduleEach(org, city.lamps, at("18:00:00"), at("19:00:00"));
    await inWorld(
      org,
      at("17:50:00"),
      async (world) => {
        await world.sync();
        await world.to(at("18:55:00"));
        const failing = failSwitches(city, "010300");
        // The lights' own next tries are half an hour apart by now.
        await world.to(at("20:41:00"));
        expect(await hubRow(`${org}-hub0`)).toMatch(/^needs attention /);
        expect((await messages(org)).filter((line) => line.startsWith("hub_"))).toEqual([REFUSES]);
        failing.end();
        await world.to(at("20:49:00"));
        expect(city.lamps.filter(city.isLit)).toEqual([]);
        expect((await messages(org)).filter((line) => line.startsWith("hub_"))).toEqual([REFUSES, BACK]);
      },
      city.equip,
    );
  },
);

test("a hub that was mended is back a minute after a person has asked it, however seldom it is asked", async () => {
  const city = await aCity("mended", "local", 1, 2);
  await setting("mended", "HUB_CHECK_INTERVAL_SEC", 7_200).run();
  await aScheduleEach("mended", city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    "mended",
    at("17:50:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:55:00"));
      faultLamps(city, { kind: "code", code: "010300" });
      await world.to(at("18:30:00"));
      expect(await messages("mended")).toEqual([REFUSES]);
      faultLamps(city);
      await during(world, pingHub(world.context, "mended-hub0"));
      await world.to(at("18:32:00"));
      expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
      expect(await hubRow("mended-hub0")).toMatch(/^online /);
      expect(await messages("mended")).toEqual([REFUSES, BACK]);
    },
    city.equip,
  );
});

test("a hub whose credentials were emptied does not show online for ever", async () => {
  const city = await aCity("emp", "local", 1, 1);
  await inWorld(
    "emp",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      await during(world, pingHub(world.context, "emp-hub0"));
      expect(await hubRow("emp-hub0")).toMatch(/^online /);
      await sql("UPDATE hubs SET ip_address = '10.1.0.9', local_client_secret = NULL WHERE org_id = 'emp'").run();
      await world.sync();
      await world.to(at("12:05:00"));
      expect(await hubRow("emp-hub0")).toMatch(/^needs attention /);
      expect(await messages("emp")).toEqual([REFUSES]);
    },
    city.equip,
  );
});

test("lights whose hub was away, and refuses us now, no longer say that it is away", async () => {
  const city = await aCity("turned", "local", 1, 2);
  await setting("turned", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await setting("turned", "WATCHDOG_ENABLED", true).run();
  await aScheduleEach("turned", city.lamps, at("18:00:00"), at("22:00:00"));
  const problems = async () => (await sql("SELECT problem FROM devices WHERE org_id = 'turned'").all()).results;
  await inWorld(
    "turned",
    at("17:50:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:59:50"));
      city.simulator.fault("turned-hub0", { kind: "offline" });
      await world.to(at("18:05:00"));
      for (const { problem } of await problems()) expect(problem).toMatch(/^its hub is away since/);
      city.simulator.fault("turned-hub0");
      const issuer = city.simulator.hubs.get("turned-hub0")?.issuer;
      if (!issuer) throw new Error("no hub");
      issuer.credentials = { ...issuer.credentials, secret: "changed in the app" };
      issuer.revokeAll();
      await world.to(at("18:10:00"));
      expect(await hubRow("turned-hub0")).toMatch(/^needs attention /);
      for (const { problem } of await problems()) expect(problem).toMatch(/^not confirmed, /);
    },
    city.equip,
  );
});

test("people who heard that a hub is away hear that it is back, also where the cloud did not know it meanwhile", async () => {
  const city = await aCity("lost", "cloud", 1, 1);
  await setting("lost", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await inWorld(
    "lost",
    at("12:00:00"),
    async (world) => {
      const rename = async (name: string) => {
        await sql("UPDATE hubs SET name = ? WHERE org_id = 'lost'", name).run();
        await world.sync();
      };
      await world.sync();
      city.simulator.fault("lost-hub0", { kind: "offline" });
      await world.to(at("12:30:00"));
      const away = await messages("lost");
      expect(away).toEqual([expect.stringMatching(/^hub_offline .* has been offline for \d+ minutes\.$/)]);
      await rename("Another hub");
      await world.to(at("12:40:00"));
      expect(await hubRow("lost-hub0")).toMatch(/^needs attention /);
      expect(await messages("lost")).toEqual(away);
      await rename("Hub 0");
      city.simulator.fault("lost-hub0");
      await world.to(at("12:50:00"));
      expect(await hubRow("lost-hub0")).toMatch(/^online /);
      expect(await messages("lost")).toEqual([...away, BACK]);
    },
    city.equip,
  );
});

test("of a hub that is gone nothing is kept that opens its lamps", async () => {
  const city = await aCity("keyed", "local", 2, 2);
  await inWorld(
    "keyed",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      await world.to(at("12:05:00"));
      const accounts = () =>
        world.storage.sql
          .exec("SELECT DISTINCT account FROM sessions ORDER BY account")
          .toArray()
          .map(({ account }) => account);
      expect(accounts()).toEqual(["hub:keyed-hub0", "hub:keyed-hub1"]);
      await sql("DELETE FROM hubs WHERE id = 'keyed-hub0'").run();
      await world.sync();
      await world.to(at("12:06:00"));
      expect(accounts()).toEqual(["hub:keyed-hub1"]);
    },
    city.equip,
  );
});

test("of a hub that was away when it was deleted no row is left", async () => {
  const city = await aCity("blank", "local", 2, 2);
  await setting("blank", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await setting("blank", "HUB_OFFLINE_ALERT_MIN", 1).run();
  await inWorld(
    "blank",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      await world.to(at("12:05:00"));
      city.simulator.fault("blank-hub0", { kind: "offline" });
      await world.to(at("12:20:00"));
      const tablesWithIt = () => {
        world.context.sql.kept?.write();
        const { sql } = world.storage;
        const names = sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray();
        return names
          .map(({ name }) => name)
          .filter((name) => !name.startsWith("_"))
          .filter((name) => JSON.stringify(sql.exec(`SELECT * FROM ${name}`).toArray()).includes("blank-hub0"));
      };
      expect(tablesWithIt().toSorted()).toEqual(["hub_trouble", "incidents", "plan", "sessions", "timers"]);
      await sql("DELETE FROM hubs WHERE id = 'blank-hub0'").run();
      await world.sync();
      await world.to(at("12:22:00"));
      expect(tablesWithIt()).toEqual([]);
    },
    city.equip,
  );
});

test("who was passed on that a hub refuses us hears that it is back, also where it was away since", async () => {
  const city = await aCity("both", "local", 1, 1);
  await setting("both", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await setting("both", "NOTIFY_SMS_TO", "+13105550101").run();
  await setting("both", "ESCALATE_AFTER_MIN", 10).run();
  await setting("both", "ESCALATE_TO", "+13105550102").run();
  await inWorld(
    "both",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      await world.to(at("12:05:00"));
      const texts: string[] = [];
      world.context.sms = async (to, text) => {
        texts.push(`${to.slice(-2)}: ${text}`);
        return { ok: true };
      };
      const issuer = city.simulator.hubs.get("both-hub0")?.issuer;
      if (!issuer) throw new Error("no hub");
      const { credentials } = issuer;
      issuer.credentials = { ...credentials, secret: "changed in the app" };
      issuer.revokeAll();
      await world.to(at("12:25:00"));
      expect(texts.map((text) => text.slice(0, 2))).toEqual(["01", "02"]);
      city.simulator.fault("both-hub0", { kind: "silent" });
      await world.to(at("12:43:00"));
      await sql("UPDATE alarms SET acknowledged_at = 'then' WHERE org_id = 'both'").run();
      await world.to(at("13:00:00"));
      texts.length = 0;
      issuer.credentials = credentials;
      city.simulator.fault("both-hub0");
      await world.to(at("13:10:00"));
      expect(texts.toSorted()).toEqual(["01: Hub Hub 0 (Field 3) is back.", "02: Hub Hub 0 (Field 3) is back."]);
    },
    city.equip,
  );
});

test("a hub in an area that cannot be read is told, and is back, all the same", async () => {
  const city = await aCity("unread", "local", 1, 1);
  await setting("unread", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await setting("unread", "HUB_OFFLINE_ALERT_MIN", 5).run();
  await inWorld(
    "unread",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      await world.to(at("12:02:00"));
      expect(await hubRow("unread-hub0")).toMatch(/^online /);
      world.tamper("UPDATE plan SET body = '{' WHERE kind = 'area'");
      city.simulator.fault("unread-hub0", { kind: "offline" });
      await world.to(at("12:12:00"));
      expect(await hubRow("unread-hub0")).toMatch(/^offline /);
      city.simulator.fault("unread-hub0");
      await world.to(at("12:15:00"));
      expect(await hubRow("unread-hub0")).toMatch(/^online /);
      expect(await messages("unread")).toEqual([
        expect.stringMatching(/Alarm: Hub Hub 0 has been offline for \d minutes\.$/),
        "hub_back not_sent: Hub Hub 0 is back.",
      ]);
    },
    city.equip,
  );
});
