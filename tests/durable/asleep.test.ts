import { expect, test } from "vitest";
import { open, seal } from "#db/sealed";
import { sqlSessionStore } from "#durable/providers/session-store";
import { pingHub, readState } from "#durable/requests/connectivity";
import { aCity, during } from "#tests/support/a-city";
import { inWorld, type World } from "#tests/support/engine";
import { sql } from "#tests/support/light";

/** What an object that was put to sleep still has when it wakes. */

const at = (clock: string) => `2026-06-10T${clock}Z`;
const KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER_KEY = "HwECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const PAID_FOR = ["token", "Home.getDeviceList"];

async function sleep(world: World): Promise<void> {
  world.die();
  await world.to(world.now + 60_000);
}

test.each(["cloud", "local", "hybrid"] as const)(
  "%s, an object that wakes asks for no new token and no new list",
  async (mode) => {
    const org = `asl${mode}`;
    const city = await aCity(org, mode, 1, 2);
    const [first = "", second = ""] = city.lamps;
    await inWorld(
      org,
      at("12:00:00"),
      async (world) => {
        await world.sync();
        await during(world, readState(world.context, first));
        await world.to(at("12:02:00")); // the hubs have had their check
        city.simulator.journal.length = 0;
        world.die();
        expect(await during(world, readState(world.context, second))).toMatchObject({ result: { success: true } });
        world.die();
        expect(await world.toggle(first, "on")).toMatchObject({ success: true });
        expect(city.simulator.journal.map(({ method }) => method)).toEqual(["Switch.getState", "Switch.setState"]);
      },
      city.equip,
    );
  },
);

test("what is no longer accepted, or belongs to other credentials, is asked for anew", async () => {
  const city = await aCity("asn", "cloud", 1, 1);
  const [lamp = ""] = city.lamps;
  await inWorld(
    "asn",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      const read = async () => (await during(world, readState(world.context, lamp))).result.success;
      await read();
      city.simulator.cloud.revokeAll();
      city.simulator.changeDeviceTokens();
      await sleep(world);
      expect(await read()).toBe(true);
      const key = "uac.ua_FEDCBA9876543210:sec_v1_other==";
      city.simulator.cloud.credentials = { id: "ua_FEDCBA9876543210", secret: "sec_v1_other==" };
      await sql(
        "UPDATE settings SET value = ? WHERE org_id = 'asn' AND key = 'YOLINK_UAC_KEY'",
        JSON.stringify(key),
      ).run();
      await world.sync();
      await sleep(world);
      city.simulator.journal.length = 0;
      expect(await read()).toBe(true);
      expect(city.simulator.journal.map(({ method }) => method)).toEqual([...PAID_FOR, "Switch.getState"]);
    },
    city.equip,
  );
});

test("refused credentials are not tried more often by an object that keeps waking", async () => {
  const city = await aCity("asr", "cloud", 1, 1);
  const [lamp = ""] = city.lamps;
  await inWorld(
    "asr",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      city.simulator.cloud.credentials = { id: "another", secret: "another" };
      for (let n = 0; n < 5; n += 1) {
        await during(world, readState(world.context, lamp));
        world.die();
        await world.to(world.now + 1_000);
      }
      expect(city.simulator.journal.map(({ method }) => method)).toEqual(["token"]);
    },
    city.equip,
  );
});

test("what is kept is sealed, in rows that SQLite holds, and can't be read with another key", async () => {
  await inWorld("asw", at("12:00:00"), async (world) => {
    const { sql: store } = world.storage;
    const sessions = (key: string) =>
      sqlSessionStore(
        store,
        (plain) => seal(plain, key),
        (sealed) => open(sealed, key),
      );
    const device = (n: number) => ({
      id: `d88b4c01${n}`,
      type: "Switch",
      model: "YS5706-UC",
      name: "Pole",
      token: "SECRET",
    });
    const value = { owner: "us", listed_at: 1, devices: Array.from({ length: 12_000 }, (_, n) => device(n)) };
    await sessions(KEY).save("cloud", "devices", value);
    await sessions(KEY).save("cloud", "access", { token: "SECRET" });
    expect(await sessions(KEY).load("cloud", "devices")).toEqual(value);
    expect(await sessions(OTHER_KEY).load("cloud", "devices")).toBeNull();
    expect(await sessions(KEY).load("hub:h1", "devices")).toBeNull();
    const bodies = store.exec<{ body: string }>("SELECT body FROM sessions").toArray();
    expect(Math.max(...bodies.map(({ body }) => body.length))).toBeLessThanOrEqual(1_000_000);
    expect(bodies.map(({ body }) => body).join("")).not.toContain("SECRET");
    await sessions(KEY).save("cloud", "devices", null);
    expect(await sessions(KEY).load("cloud", "devices")).toBeNull();
    expect(await sessions(KEY).load("cloud", "access")).toEqual({ token: "SECRET" });
  });
});

test("a hub that is deleted leaves no token, no trouble and no incident behind", async () => {
  const city = await aCity("asd", "local", 2, 2);
  const [lamp = ""] = city.lamps;
  await inWorld(
    "asd",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      await during(world, readState(world.context, lamp));
      city.simulator.fault("asd-hub0", { kind: "offline" });
      await world.to(at("12:01:00"));
      // No OFF: that would be owed to the lamp, and sent to where its hub was.
      await during(world, readState(world.context, lamp));
      await during(world, pingHub(world.context, "asd-hub0"));
      const rows = () =>
        ["sessions WHERE account", "hub_trouble WHERE hub", "incidents WHERE incident"].map(
          (of) => world.storage.sql.exec(`SELECT 1 FROM ${of} LIKE 'hub:asd-hub0%'`).toArray().length,
        );
      expect(rows()).toEqual([2, 1, 1]);
      await sql("DELETE FROM hubs WHERE id = 'asd-hub0'").run();
      await world.sync();
      expect(rows()).toEqual([0, 0, 0]);
    },
    city.equip,
  );
});
