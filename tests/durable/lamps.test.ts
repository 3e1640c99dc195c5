import { expect, test } from "vitest";
import type { Address } from "#durable/providers/provider";
import { isSameDevice, isSameLamp, sharedSockets, withSockets } from "#durable/state/lamps";
import { aCity, vendorId } from "#tests/support/a-city";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, deviceRow, messages, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;
const OTHER = vendorId(255);

/** A cloud knows a lamp by its Cloud ID, a hub by its Local reference: one of them is corrected while the lamp is lit. */
test.each([
  [
    "its Cloud ID was wrong, and its hub lit it",
    "hybrid",
    "hybrid",
    { cloud_device_id: OTHER, local_ref: vendorId(0) },
  ],
  [
    "its Cloud ID was wrong, and only its hub reaches it",
    "hybrid",
    "local",
    { cloud_device_id: OTHER, local_ref: vendorId(0) },
  ],
  ["its Cloud ID was wrong, in local mode", "local", "hybrid", { cloud_device_id: OTHER, local_ref: vendorId(0) }],
  [
    "its Local reference was wrong, and the cloud lit it",
    "hybrid",
    "hybrid",
    { cloud_device_id: vendorId(0), local_ref: OTHER },
  ],
  [
    "its Local reference was wrong, and only the cloud reaches it",
    "cloud",
    "hybrid",
    { cloud_device_id: vendorId(0), local_ref: OTHER },
  ],
])("a lamp stays lit where %s", async (what, mode, connection_mode, { cloud_device_id, local_ref }) => {
  const org = what.replaceAll(/\W+/g, "-");
  const city = await aCity(org, mode, 1, 1);
  const [device = ""] = city.lamps;
  await aSchedule(org, `${org}-0`, at("18:00:00"), at("22:00:00"), { device });
  await sql("UPDATE hubs SET connection_mode = ? WHERE org_id = ?", connection_mode, org).run();
  const change = (cloud: string, local: string) =>
    sql("UPDATE devices SET cloud_device_id = ?, local_ref = ? WHERE id = ?", cloud, local, device).run();
  await change(cloud_device_id, local_ref);
  await inWorld(
    org,
    at("17:00:00"),
    async (world) => {
      await world.sync();
      await world.to(at("19:00:00"));
      expect(city.isLit(device)).toBe(true);
      await change(vendorId(0), vendorId(0));
      await world.sync();
      while (world.now < Date.parse(at("19:10:00"))) {
        await world.to(world.now + 1_000);
        expect(city.isLit(device), new Date(world.now).toISOString()).toBe(true);
      }
      expect(await messages(org)).toEqual([]);
      await world.to(at("22:00:30"));
      expect(city.isLit(device)).toBe(false);
    },
    city.equip,
  );
});

test("a lamp that only its hub reaches is put out where its Local reference named another one", async () => {
  const city = await aCity("misnamed", "hybrid", 1, 2);
  const [device = "", other = ""] = city.lamps;
  await sql("DELETE FROM devices WHERE id = ?", other).run();
  await sql("UPDATE hubs SET connection_mode = 'local' WHERE org_id = 'misnamed'").run();
  await sql("UPDATE devices SET local_ref = ? WHERE id = ?", vendorId(1), device).run();
  await aSchedule("misnamed", "misnamed-0", at("18:00:00"), at("22:00:00"), { device });
  await inWorld(
    "misnamed",
    at("17:00:00"),
    async (world) => {
      await world.sync();
      await world.to(at("19:00:00"));
      expect([city.isLit(device), city.isLit(other)]).toEqual([false, true]);
      await sql("UPDATE devices SET local_ref = NULL WHERE id = ?", device).run();
      await world.sync();
      await world.to(at("19:01:00"));
      expect([city.isLit(device), city.isLit(other)]).toEqual([true, false]);
    },
    city.equip,
  );
});

test("in the demo two lights that are the first of their hubs are two lamps", async () => {
  const [device, other] = ["firsts-0", "firsts-1"];
  await aField("firsts", [device, other]);
  await sql("UPDATE devices SET local_ref = '1' WHERE org_id = 'firsts'").run();
  await setting("firsts", "WATCHDOG_ENABLED", true).run();
  await aSchedule("firsts", "firsts-s", at("18:00:00"), at("22:00:00"), { device });
  await inWorld("firsts", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    expect((await deviceRow(device)).current_state).toBe("on");
    expect((await deviceRow(other)).current_state).toBe("off");
    expect(await messages("firsts")).toEqual([]);
  });
});

type Lamp = Omit<Address, "hub"> & Partial<Pick<Address, "hub">>;

const [ONE, TWO, A, B] = ["d88b4c0100000001", "d88b4c0100000002", "d88b4c010000000a", "d88b4c010000000b"];

function lampOf(cloud_device_id: string | null, local_ref: string | null = null, over: Partial<Lamp> = {}): Lamp {
  const lamp = cloud_device_id ?? local_ref ?? "a-light";
  return {
    mode: "cloud",
    hub: null,
    lamp,
    cloud_device_id,
    local_ref,
    model: null,
    on_payload: null,
    off_payload: null,
    ...over,
  };
}

const behind = (connection_mode: "local" | "cloud" | "hybrid"): Partial<Lamp> => ({
  mode: "hybrid",
  hub: {
    id: "a-hub",
    name: "Hub",
    ip_address: null,
    port: 1080,
    connection_mode,
    agent_id: null,
    local_client_id: null,
    local_client_secret: null,
  },
});
const IN_DEMO: Partial<Lamp> = { mode: "mock" };
const IN_LOCAL: Partial<Lamp> = { mode: "local" };
const ON_AGENTS_PLAN: Partial<Lamp> = { mode: "hybrid", hub: undefined };
const socketsOn = (chs: number): Partial<Lamp> => ({ on_payload: JSON.stringify({ state: "open", chs }) });

test.each([
  ["one id, written differently", lampOf(ONE), lampOf(` ${ONE.toUpperCase()} `), true],
  ["two ids", lampOf(ONE), lampOf(TWO), false],
  ["an id that moved to the other field", lampOf(ONE), lampOf(null, ONE), true],
  ["a Cloud ID with two Local references, by the cloud", lampOf(ONE, A), lampOf(ONE, B), true],
  ["the same in local mode", lampOf(ONE, A, IN_LOCAL), lampOf(ONE, B, IN_LOCAL), false],
  [
    "the same behind a hub that alone reaches it",
    lampOf(ONE, A, behind("local")),
    lampOf(ONE, B, behind("local")),
    false,
  ],
  [
    "the same behind a hub that does so first",
    lampOf(ONE, A, behind("hybrid")),
    lampOf(ONE, B, behind("hybrid")),
    true,
  ],
  ["a Local reference with two Cloud IDs, by the cloud", lampOf(ONE, A), lampOf(TWO, A), false],
  ["the same in local mode", lampOf(ONE, A, IN_LOCAL), lampOf(TWO, A, IN_LOCAL), true],
  [
    "the same behind a hub that does not reach it",
    lampOf(ONE, A, behind("cloud")),
    lampOf(TWO, A, behind("cloud")),
    false,
  ],
  [
    "the same behind a hub that does so first",
    lampOf(ONE, A, behind("hybrid")),
    lampOf(TWO, A, behind("hybrid")),
    true,
  ],
  [
    "the same where it is no ID that a hub could know",
    lampOf(ONE, "Pole 1", behind("hybrid")),
    lampOf(TWO, "Pole 1", behind("hybrid")),
    false,
  ],
  [
    "an ID and what is none, behind a hub that alone reaches it",
    lampOf(ONE, A, behind("local")),
    lampOf(ONE, "Pole 1", behind("local")),
    false,
  ],
  [
    "a Cloud ID that no cloud could know, with two Local references behind a hub that does so first",
    lampOf("Pole 1", A, behind("hybrid")),
    lampOf("Pole 1", B, behind("hybrid")),
    false,
  ],
  [
    "a Local reference with two Cloud IDs on an agent's plan",
    lampOf(ONE, A, ON_AGENTS_PLAN),
    lampOf(TWO, A, behind("local")),
    true,
  ],
  ["what only the cloud and only a hub reach, by the Cloud ID", lampOf(ONE, A), lampOf(ONE, B, IN_LOCAL), true],
  ["one of the demo and a real one", lampOf(ONE), lampOf(ONE, null, IN_DEMO), false],
  ["two of the demo with one id", lampOf(ONE, A, IN_DEMO), lampOf(ONE, B, IN_DEMO), true],
  ["two lights without any id", lampOf(null, null, { lamp: "a" }), lampOf(null, null, { lamp: "b" }), false],
  ["two of the demo, written differently", lampOf("Lamp", A, IN_DEMO), lampOf("lamp", A, IN_DEMO), false],
  ["one without any id that gets a payload", lampOf(null), lampOf(null, null, { on_payload: "open" }), true],
  [
    "two without any id, one with a payload",
    lampOf(null),
    lampOf(null, null, { lamp: "b", on_payload: "open" }),
    false,
  ],
  [
    "a socket whose id moved to the other field in local mode",
    lampOf(`${ONE}#2`, null, IN_LOCAL),
    lampOf("x", `${ONE}#2`, IN_LOCAL),
    true,
  ],
  ["a socket whose id moved to the other field", lampOf(`${ONE}#2`), lampOf(null, `${ONE}#2`), true],
  ["two sockets of a strip", lampOf(`${ONE}#2`), lampOf(`${ONE}#4`), false],
  ["one socket, behind either id", lampOf(`${ONE}#2`), lampOf(ONE, "#2"), true],
  ["one socket, named by its id and by its payload", lampOf(`${ONE}#2`), lampOf(ONE, null, socketsOn(2)), true],
  ["two sockets of one id, by their payloads", lampOf(ONE, null, socketsOn(2)), lampOf(ONE, null, socketsOn(4)), false],
  [
    "a socket of the demo, by its payload",
    lampOf(ONE, null, IN_DEMO),
    lampOf(ONE, null, { ...IN_DEMO, ...socketsOn(4) }),
    false,
  ],
])("whether it is one lamp: %s", (_, a, b, is) => {
  expect([isSameLamp(a, b), isSameLamp(b, a)]).toEqual([is, is]);
});

test.each([
  ["the one that both have", lampOf(`${ONE}#6`), lampOf(`${ONE}#12`), 4],
  ["none of another strip", lampOf(`${ONE}#6`), lampOf(`${TWO}#6`), 0],
  ["all of one that names none", lampOf(ONE), lampOf(` ${ONE}`), 255],
  ["all of one of the demo", lampOf(ONE, null, IN_DEMO), lampOf(ONE, "a", IN_DEMO), 255],
  ["none of another one of the demo", lampOf(`${ONE}#6`, null, IN_DEMO), lampOf(`${ONE}#12`, null, IN_DEMO), 0],
  ["none of the demo and a real one", lampOf(ONE, null, IN_DEMO), lampOf(ONE), 0],
])("the sockets that two addresses share: %s", (_, a, b, sockets) => {
  expect([sharedSockets(a, b), sharedSockets(b, a)]).toEqual([sockets, sockets]);
});

test("a demo's light is no real one's device, whatever its id", () => {
  expect(isSameDevice(lampOf(ONE), lampOf(ONE, null, IN_DEMO))).toBe(false);
});

test("what is left of a strip is asked of its own sockets alone, by each id that it has", () => {
  const whole = {
    ...lampOf(`${ONE}#6`, null, socketsOn(6)),
    hub: null,
    off_payload: JSON.stringify({ state: "close", chs: 6 }),
  };
  const rest = { cloud_device_id: `${ONE}#4`, local_ref: null, on_payload: null, off_payload: null, is_rest: true };
  expect(withSockets(whole, 4)).toEqual({ ...whole, ...rest });
});
