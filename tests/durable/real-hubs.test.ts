import { expect, test } from "vitest";
import { pingHub, readState, testSwitch } from "#durable/requests/connectivity";
import { toggle } from "#durable/requests/toggle";
import type { Fault } from "#tests/yolink/packets";
import { aCity, during, hubRow, snippets, vendorId, type City } from "#tests/support/a-city";
import { inWorldOfLateRows as inWorld } from "#tests/support/engine";
import { aSchedule, events, messages, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;
const MODES = ["cloud", "local", "hybrid"] as const;

type Trouble = { name: string; begin: (city: City) => void; end?: (city: City) => void };

const lampFault = (name: string, ...faults: Fault[]): Trouble => ({
  name,
  begin: ({ simulator }) => simulator.fault(vendorId(0), ...faults),
  end: ({ simulator }) => simulator.fault(vendorId(0)),
});
const doorFault = (kind: Fault["kind"] & ("silent" | "html" | "garbage" | "offline")): Trouble => ({
  name: `${kind} at every door`,
  begin: ({ simulator }) => [...simulator.hubs.keys(), "cloud"].forEach((door) => simulator.fault(door, { kind })),
  end: ({ simulator }) => [...simulator.hubs.keys(), "cloud"].forEach((door) => simulator.fault(door)),
});

const LADDER = /^on retry 1, (on retry 2, on ok 3|on ok 2)$/;

/** What goes wrong just before 18:00 and is mended at 18:00:20, and how the lamp's evening then reads. */
const TROUBLES: [Trouble, RegExp][] = [
  [
    {
      name: "tokens that expired",
      begin: ({ simulator }) => {
        simulator.cloud.expireAll();
        simulator.hubs.forEach((hub) => hub.issuer.expireAll());
      },
    },
    /^on ok 1$/,
  ],
  [
    {
      name: "tokens that were revoked",
      begin: ({ simulator }) => {
        simulator.cloud.revokeAll();
        simulator.hubs.forEach((hub) => hub.issuer.revokeAll());
      },
    },
    /^on ok 1$/,
  ],
  [{ name: "device tokens that changed", begin: ({ simulator }) => simulator.changeDeviceTokens() }, /^on ok 1$/],
  [lampFault("an answer lost after the switch was done", { kind: "drop" }), /^on ok 1$/],
  [lampFault("a slow answer", { kind: "slow", ms: 3_000 }), /^on ok 1$/],
  [lampFault("a stuck lamp", { kind: "stuck" }), /^on retry 1, on ok 2$/],
  [lampFault("a lamp without power", { kind: "offline" }), /^on retry 1, on ok [23]$/],
  [lampFault("a busy radio", { kind: "flaky", n: 2 }), /^(on retry 1, )?on ok [12]$/],
  [lampFault("a busy device", { kind: "code", code: "020104" }), /^on ok 1$/],
  [lampFault("a service out of order", { kind: "code", code: "010000" }), /^on retry 1, on retry 2, on ok 3$/],
  [doorFault("silent"), LADDER],
  [doorFault("offline"), LADDER],
  [doorFault("html"), LADDER],
  [doorFault("garbage"), LADDER],
];

test.each(MODES.flatMap((mode) => TROUBLES.map(([trouble, story]) => ({ mode, trouble, story, name: trouble.name }))))(
  "$mode, $name at 18:00: the lamp is lit, and the events tell how",
  async ({ mode, trouble, story }) => {
    const org_id = `${mode}-${trouble.name.replaceAll(/\W/g, "")}`.toLowerCase();
    const city = await aCity(org_id, mode, 1, 1);
    const [lamp = ""] = city.lamps;
    await aSchedule(org_id, `s-${org_id}`, at("18:00:00"), at("22:00:00"), { device: lamp });
    await inWorld(
      org_id,
      at("17:50:00"),
      async (world) => {
        await world.sync();
        // The sessions are warm: what goes wrong goes wrong with the switch.
        await during(world, readState(world.context, lamp));
        await world.to(at("17:59:30"));
        trouble.begin(city);
        await world.to(at("18:00:20"));
        trouble.end?.(city);
        await world.to(at("18:03:00"));
        expect(city.isLit(lamp)).toBe(true);
        const told = (await events(org_id)).map((line) => line.replace(/^\S+ scheduler /, "")).join(", ");
        expect(told).toMatch(story);
        expect(await messages(org_id)).toEqual([]);
      },
      city.equip,
    );
  },
);

test.each(MODES)("a hub's health in %s mode: seen, missed, told after a while, and back", async (mode) => {
  const city = await aCity(`h-${mode}`, mode, 1, 1);
  await setting(`h-${mode}`, "HUB_CHECK_INTERVAL_SEC", 60).run();
  await setting(`h-${mode}`, "HUB_OFFLINE_ALERT_MIN", 5).run();
  const hub = `h-${mode}-hub0`;
  await inWorld(
    `h-${mode}`,
    at("12:00:00"),
    async (world) => {
      await world.sync();
      await world.to(at("12:02:00"));
      expect(await hubRow(hub)).toMatch(/^online 2026-06-10T12:0[12]\S+Z \d+$/);
      city.simulator.fault(hub, { kind: "offline" });
      await world.to(at("12:06:00"));
      expect(await hubRow(hub)).toMatch(/^offline 2026-06-10T12:0[12]\S+Z /);
      expect(await messages(`h-${mode}`)).toEqual([]);
      await world.to(at("12:10:00"));
      city.simulator.fault(hub);
      await world.to(at("12:12:00"));
      expect(await hubRow(hub)).toMatch(/^online 2026-06-10T12:1[12]/);
      expect(await messages(`h-${mode}`)).toEqual([
        expect.stringMatching(/^hub_offline not_sent: Alarm: Hub Hub 0 \(Field 3\) has been offline for \d minutes\.$/),
        "hub_back not_sent: Hub Hub 0 (Field 3) is back.",
      ]);
    },
    city.equip,
  );
});

test.each(MODES)("the connectivity test in %s mode, well and with everything silent", async (mode) => {
  const city = await aCity(`c-${mode}`, mode, 1, 1);
  const [lamp = ""] = city.lamps;
  const provider = mode === "hybrid" ? "local" : mode;
  await inWorld(
    `c-${mode}`,
    at("12:00:00"),
    async (world) => {
      await world.sync();
      const { context } = world;
      expect((await during(world, pingHub(context, `c-${mode}-hub0`))).result).toMatchObject({
        success: true,
        provider,
      });
      const well = await during(world, testSwitch(context, lamp, "on"));
      expect(well).toMatchObject({
        success: true,
        action_result: { success: true, provider, error: null },
        verification_result: { state: "on" },
      });
      await world.to(at("12:02:00"));
      expect(city.isLit(lamp)).toBe(false);

      for (const door of ["cloud", `c-${mode}-hub0`]) city.simulator.fault(door, { kind: "silent" });
      const began = world.now;
      const dead = await during(world, testSwitch(context, lamp, "on"));
      expect(world.now - began).toBeLessThanOrEqual(9_050);
      expect(dead).toMatchObject({ success: false, verification_result: { state: "unknown" } });
      const { results } = await sql(
        "SELECT action, provider, result FROM connectivity_logs WHERE org_id = ? ORDER BY created_at",
        `c-${mode}`,
      ).all();
      expect(results.map((row) => Object.values(row).join(" "))).toEqual([
        `ping_hub ${provider} success`,
        `on ${provider} success`,
        `on ${mode === "hybrid" ? "cloud" : provider} failure`,
      ]);
    },
    city.equip,
  );
});

test("hybrid, both ways silent: a toggle answers within 9 s of when the person asked, and both tries are told", async () => {
  const city = await aCity("sil", "hybrid", 1, 1);
  const [lamp = ""] = city.lamps;
  await inWorld(
    "sil",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      await during(world, readState(world.context, lamp));
      for (const door of ["cloud", "sil-hub0"]) city.simulator.fault(door, { kind: "silent" });
      const since = world.now - 1_000; // the plan was looked at first
      const pressed = toggle(world.context, { device_id: lamp, action: "on", actor: { id: "a", email: "a@x" } }, since);
      expect(await during(world, pressed)).toMatchObject({ success: false, detail: "No answer yet; still trying" });
      expect(world.now - since).toBeLessThanOrEqual(9_000);
      await world.to(at("12:00:12"));
      expect((await snippets("sil")).at(-1)).toMatch(/^cloud \| local: no answer within 4\.2 s; cloud: /);
    },
    city.equip,
  );
});
