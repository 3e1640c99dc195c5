import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { alarms } from "#db/alarms";
import { attention } from "#db/attention";
import { database } from "#db/database";
import { readState } from "#durable/requests/connectivity";
import { aCity, during, vendorId, type City } from "#tests/support/a-city";
import { inWorldOfLateRows as inWorld } from "#tests/support/engine";
import { aScheduleEach, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

/** Lights in turns on two hubs, all of them lit from 18:00 on; that of `broken` is broken by itself. */
async function aBookedCity(org_id: string, mode: string): Promise<City & { broken: string }> {
  const city = await aCity(org_id, mode, 2, 12);
  await setting(org_id, "WATCHDOG_ENABLED", true).run();
  await setting(org_id, "HUB_CHECK_INTERVAL_SEC", 60).run();
  await aScheduleEach(org_id, city.lamps, at("18:00:00"), at("22:00:00"));
  return Object.assign(city, { broken: city.lamps[1] ?? "" });
}

/** As a screen's list has them: which lights or hubs have an alarm in it, and how many more a silent hub explains. */
async function alarmsOf(org_id: string) {
  const query = { state: "open", area_id: undefined, behind: null, page: 1 } as const;
  const { rows, silent_hubs } = await alarms(database(env.DB), org_id).page(query, null);
  return {
    listed: rows.map(({ kind, device_id, hub_id }) => `${kind} ${device_id ?? hub_id ?? "city"}`).toSorted(),
    behind: silent_hubs.map((hub) => `${hub.id} ${hub.alarms}`),
  };
}

/** Which wrong lights are told by themselves, and what hubs and connections explain. */
async function attentionOf(org_id: string, mode: "local" | "cloud" | "hybrid") {
  const repository = attention(database(env.DB), org_id);
  const { wrong } = (await sql(
    "SELECT count(*) AS wrong FROM devices WHERE org_id = ? AND problem IS NOT NULL",
    org_id,
  ).first<{ wrong: number }>()) ?? { wrong: 0 };
  return {
    wrong,
    lights: (await repository.lights(null, mode, 20)).map(({ id }) => id),
    hubs: (await repository.hubs(null, 20)).map(({ id, behind }) => `${id} ${behind}`),
    connections: (await repository.connections(null, 20)).map(({ kind }) => kind),
  };
}

test("the lights behind a hub that falls silent are told of the hub, and the one that is broken by itself is told for itself", async () => {
  const city = await aBookedCity("cc-hub", "local");
  const { broken } = city;
  await inWorld(
    "cc-hub",
    at("17:40:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:58:00"));
      city.simulator.fault(vendorId(1), { kind: "offline" });
      city.simulator.fault("cc-hub-hub0", { kind: "offline" });
      await world.to(at("18:10:00"));
      // People are not told of the hub yet.
      const own = `device_failed ${broken}`;
      expect(await alarmsOf("cc-hub")).toEqual({ listed: [own], behind: ["cc-hub-hub0 6"] });
      const told = { wrong: 7, lights: [broken], hubs: ["cc-hub-hub0 6"], connections: [] };
      expect(await attentionOf("cc-hub", "local")).toEqual(told);

      await world.to(at("18:30:00"));
      expect(await alarmsOf("cc-hub")).toEqual({ listed: [own, "hub_offline cc-hub-hub0"], behind: ["cc-hub-hub0 6"] });
      expect(await attentionOf("cc-hub", "local")).toEqual(told);

      // The other hub falls silent, too: what had failed before is none of its.
      city.simulator.fault("cc-hub-hub1", { kind: "offline" });
      await world.to(at("18:33:00"));
      expect(await alarmsOf("cc-hub")).toEqual({ listed: [own, "hub_offline cc-hub-hub0"], behind: ["cc-hub-hub0 6"] });

      city.simulator.fault("cc-hub-hub0");
      city.simulator.fault("cc-hub-hub1");
      await world.to(at("18:50:00"));
      expect(await alarmsOf("cc-hub")).toEqual({ listed: [own], behind: [] });
      expect(await attentionOf("cc-hub", "local")).toEqual({ wrong: 1, lights: [broken], hubs: [], connections: [] });
    },
    city.equip,
  );
});

test("the lights of a hub that refuses us are told of the hub", async () => {
  const city = await aBookedCity("cc-refuse", "local");
  const { broken } = city;
  await inWorld(
    "cc-refuse",
    at("17:40:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:55:00"));
      city.simulator.fault(vendorId(1), { kind: "offline" });
      const issuer = city.simulator.hubs.get("cc-refuse-hub0")?.issuer;
      if (!issuer) throw new Error("no hub");
      issuer.credentials = { ...issuer.credentials, secret: "changed in the app" };
      issuer.revokeAll();
      await world.to(at("18:10:00"));
      const told = { wrong: 7, lights: [broken], hubs: ["cc-refuse-hub0 6"], connections: [] };
      expect(await attentionOf("cc-refuse", "local")).toEqual(told);
    },
    city.equip,
  );
});

test.each(["silent", "refused"])(
  "the lights of a cloud that is %s are told of the cloud, until it is back",
  async (how) => {
    const org = `cc-${how}`;
    const city = await aBookedCity(org, "cloud");
    const { broken } = city;
    await inWorld(
      org,
      at("17:40:00"),
      async (world) => {
        await world.sync();
        await world.to(at("17:55:00"));
        city.simulator.fault(vendorId(1), { kind: "offline" });
        const { cloud } = city.simulator;
        const { credentials } = cloud;
        if (how === "silent") city.simulator.fault("cloud", { kind: "offline" });
        else cloud.credentials = { ...credentials, secret: "another" };
        if (how === "refused") cloud.revokeAll();
        await world.to(at("18:20:00"));
        const kind = how === "silent" ? "cloud_offline" : "cloud_refused";
        expect(await alarmsOf(org)).toEqual({ listed: [`${kind} city`], behind: [] });
        expect(await attentionOf(org, "cloud")).toEqual({ wrong: 12, lights: [], hubs: [], connections: [kind] });

        city.simulator.fault("cloud");
        cloud.credentials = credentials;
        await world.to(at("18:50:00"));
        expect(await attentionOf(org, "cloud")).toEqual({ wrong: 1, lights: [broken], hubs: [], connections: [] });
      },
      city.equip,
    );
  },
);

test("a light that was lit at its lamp, behind a hub that answers, is no trouble of the cloud's", async () => {
  const city = await aCity("cc-hand", "hybrid", 2, 2);
  const [byHand = "", booked = ""] = city.lamps;
  await sql("UPDATE hubs SET connection_mode = 'cloud' WHERE id = 'cc-hand-hub1'").run();
  await setting("cc-hand", "WATCHDOG_ENABLED", false).run();
  await aScheduleEach("cc-hand", [booked], at("18:00:00"), at("22:00:00"));
  await inWorld(
    "cc-hand",
    at("17:40:00"),
    async (world) => {
      await world.sync();
      city.simulator.fault("cloud", { kind: "offline" });
      await world.to(at("18:20:00"));
      city.simulator.lamps.get(vendorId(0))?.turn(true, world.now);
      expect((await during(world, readState(world.context, byHand))).result).toMatchObject({ state: "on" });
      await world.to(at("18:22:00"));
      const told = { wrong: 2, lights: [byHand], hubs: [], connections: ["cloud_offline"] };
      expect(await attentionOf("cc-hand", "hybrid")).toEqual(told);
    },
    city.equip,
  );
});
