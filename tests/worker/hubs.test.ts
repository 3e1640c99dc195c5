import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { open } from "#db/sealed";
import { as, audits, fingerprint, NOW, servicesOf } from "../support/api";
import { seedCity } from "../support/city";

beforeAll(seedCity);

const admin = as("admin");
const manager = as("manager");

test("a new hub has the defaults, and its area's name", async () => {
  const { status, json } = await manager.post("/hubs", { name: "Hub", area_id: "park" });
  expect(status).toBe(201);
  expect(json.data).toEqual({
    id: expect.any(String),
    name: "Hub",
    area_id: "park",
    area_name: "Elm Park",
    ip_address: null,
    port: 1080,
    connection_mode: "hybrid",
    agent_id: null,
    agent_name: null,
    notes: null,
    has_local_credentials: false,
    warnings: [],
    version: 1,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
});

test.each([
  ["abc", 1080],
  ["", 1080],
  [null, 1080],
  [{}, 1080],
  [[80], 1080],
  ["8080", 8080],
  [1, 1],
  [65535, 65535],
])("stores port %j as %i", async (port, kept) => {
  expect((await manager.post("/hubs", { name: "Hub", area_id: "park", port })).json.data.port).toBe(kept);
});

test.each(["192.168.1.50", "10.0.0.1", "8.8.8.8", " 172.16.0.9 "])("accepts address %s", async (ip_address) => {
  const { json } = await manager.post("/hubs", { name: "Hub", area_id: "park", ip_address });
  expect(json.data.ip_address).toBe(ip_address.trim());
});

test("accepts a loopback address in the demo only", async () => {
  const input = { name: "Hub", area_id: "park", ip_address: "127.0.0.1" };
  expect((await as("manager", { demo: true }).post("/hubs", input)).status).toBe(201);
  expect((await manager.post("/hubs", input)).status).toBe(422);
});

const bad = (ip_address: unknown): [unknown, string] => [
  { name: "x", area_id: "park", ip_address },
  "Please enter a valid IP address",
];

test.each<[unknown, string]>([
  [{}, "Hub name and area are required"],
  [{ name: "x" }, "Hub name and area are required"],
  [{ area_id: "park" }, "Hub name and area are required"],
  [{ name: " ", area_id: "park" }, "Hub name and area are required"],
  [{ name: "x", area_id: "pier" }, "Area not found"],
  [{ name: "x", area_id: "nowhere" }, "Area not found"],
  [{ name: "x", area_id: { $ne: 1 } }, "Hub name and area are required"],
  [{ name: "x".repeat(121), area_id: "park" }, "Hub name may have at most 120 characters"],
  [{ name: "x", area_id: "park", notes: "x".repeat(2001) }, "Notes may have at most 2000 characters"],
  [{ name: "x", area_id: "park", port: 0 }, "The port must be a whole number from 1 to 65535"],
  [{ name: "x", area_id: "park", port: 65536 }, "The port must be a whole number from 1 to 65535"],
  [{ name: "x", area_id: "park", port: 80.5 }, "The port must be a whole number from 1 to 65535"],
  [{ name: "x", area_id: "park", port: "1e9" }, "The port must be a whole number from 1 to 65535"],
  [{ name: "x", area_id: "park", connection_mode: "wifi" }, "Connection mode must be one of: local, cloud, hybrid"],
  bad("999.1.1.1"),
  bad("10.0.0"),
  bad("10.0.0.1.2"),
  bad("010.0.0.1"),
  bad("0x7f.0.0.1"),
  bad("2130706433"),
  bad("localhost"),
  bad("::1"),
  bad("10.0.0.1:80"),
  bad("10.0.0.1/24"),
  bad("1.2.3.４"),
  bad("0.0.0.0"),
  bad("0.1.2.3"),
  bad("127.0.0.1"),
  bad("127.9.9.9"),
  bad("169.254.169.254"),
  bad("224.0.0.1"),
  bad("239.255.255.255"),
  bad("255.255.255.255"),
  bad(7),
  bad(["10.0.0.1"]),
])("refuses %j with a message and changes nothing", async (input, detail) => {
  const before = await fingerprint();
  for (const refused of [await manager.post("/hubs", input), await manager.put("/hubs/park-hub", input)]) {
    expect(refused.status).toBe(422);
    expect(refused.json.detail).toBe(detail);
  }
  expect(await fingerprint()).toEqual(before);
});

test("moving a hub moves its devices, and no others", async () => {
  const hub = (await manager.post("/hubs", { name: "Mover", area_id: "park" })).json.data;
  const light = (await manager.post("/devices", { name: "On it", area_id: "park", hub_id: hub.id })).json.data;
  const moved = await manager.put(`/hubs/${hub.id}`, { name: "Mover", area_id: "field" }, 1);
  expect(moved.json.data).toMatchObject({ area_id: "field", area_name: "North Field", version: 2 });
  const { json } = await manager.get("/devices");
  const areaOf = (id: string) => json.data.find((device: { id: string }) => device.id === id);
  expect(areaOf(light.id)).toMatchObject({ area_id: "field", hub_id: hub.id, version: 2 });
  expect(areaOf("gate")).toMatchObject({ area_id: "park", version: 1 });
});

test("a hub that is saved where it is leaves its lights as they were, so that their open forms can be saved", async () => {
  const hub = (await manager.post("/hubs", { name: "Steady", area_id: "park" })).json.data;
  const light = (await manager.post("/devices", { name: "Steady light", area_id: "park", hub_id: hub.id })).json.data;
  await manager.put(`/hubs/${hub.id}`, { name: "Steady hub", area_id: "park" });
  expect((await manager.put(`/devices/${light.id}`, light, light.version)).status).toBe(200);
});

test("an area's hubs are its own", async () => {
  const { hubs } = servicesOf("manager");
  const [ofPark, ofField] = [await hubs.list({ area_id: "park" }), await hubs.list({ area_id: "field" })];
  expect(ofPark.map(({ area_id }) => area_id)).not.toContain("field");
  expect(ofField.map(({ id }) => id)).toContain("field-hub");
  expect(ofField.map(({ area_id }) => area_id)).not.toContain("park");
});

test("what a moved hub's lights leave is told before and with the answer, and what is over is not counted", async () => {
  const hub = (await manager.post("/hubs", { name: "Leaver", area_id: "park" })).json.data;
  const light = { name: "Leaving light", area_id: "park", hub_id: hub.id };
  const one = (await manager.post("/devices", light)).json.data;
  const two = (await manager.post("/devices", light)).json.data;
  const pair = (await manager.post("/groups", { name: "Pair", area_id: "park", device_ids: [one.id, two.id] })).json
    .data;
  await manager.post("/groups", { name: "Single", area_id: "park", device_ids: [one.id, "gate"] });
  await manager.post("/groups", { name: "Other", area_id: "park", device_ids: ["gate"] });
  const hours = (days: number) => ({
    start_at: new Date(NOW.getTime() + days * 86_400_000).toISOString(),
    end_at: new Date(NOW.getTime() + days * 86_400_000 + 3_600_000).toISOString(),
  });
  const book = (target: object) => as("admin").post("/schedules", { title: "Game", target, ...hours(1) });
  await book({ type: "group", id: pair.id });
  const canceled = (await book({ type: "group", device_ids: [one.id, "gate"] })).json.data;
  await book({ type: "area", id: "park" });
  await book({ type: "area", id: "field" });
  await book({ type: "device", id: one.id });
  await manager.put(`/schedules/${canceled.id}/cancel`);
  await manager.post("/closures", { target: { type: "group", id: pair.id }, reason: "wet" });
  const { dependents } = servicesOf("manager");
  const said = "2 lights, which leave 2 groups, 1 closure, and 2 schedules still to come.";
  expect(await dependents.movedHub(hub.id)).toBe(`With it go ${said}`);
  await expect(servicesOf("employee").dependents.movedHub(hub.id)).rejects.toMatchObject({ code: "forbidden" });
  await expect(dependents.movedHub("pier-hub")).rejects.toMatchObject({ code: "not_found" });
  const ofOne = (id: string) => dependents.movedDevice(id);
  expect(await ofOne(one.id)).toBe("It leaves 2 groups, 1 closure, and 2 schedules still to come.");
  expect(await ofOne(two.id)).toBe("It leaves 1 group, 1 closure, and 2 schedules still to come.");
  await expect(servicesOf("employee").dependents.movedDevice(one.id)).rejects.toMatchObject({ code: "forbidden" });
  await expect(ofOne("pier-light")).rejects.toMatchObject({ code: "not_found" });
  const stays = await manager.put(`/hubs/${hub.id}`, { name: "Leaver", area_id: "park" });
  expect(stays.json.data.warnings).toEqual([]);
  const { json } = await manager.put(`/hubs/${hub.id}`, { name: "Leaver", area_id: "field" });
  expect(json.data.warnings).toEqual([`With it went ${said.replace("leave", "left")}`]);
  expect(await dependents.movedHub(hub.id)).toBe("With it go 2 lights, which leave 1 schedule still to come.");
});

test("a stale move changes nothing", async () => {
  const before = await fingerprint();
  expect((await manager.put("/hubs/park-hub", { name: "Park hub", area_id: "field" }, 9)).status).toBe(409);
  expect(await fingerprint()).toEqual(before);
});

test("deleting a hub keeps its devices without one; a manager may do it", async () => {
  const hub = (await manager.post("/hubs", { name: "Gone", area_id: "park" })).json.data;
  const light = (await manager.post("/devices", { name: "Left", area_id: "park", hub_id: hub.id })).json.data;
  expect((await manager.remove(`/hubs/${hub.id}`)).json).toEqual({ success: true });
  const { json } = await manager.get("/devices");
  expect(json.data.find((device: { id: string }) => device.id === light.id)).toMatchObject({
    hub_id: null,
    hub_name: null,
  });
});

test("local credentials are encrypted, never returned, kept if absent and removed if empty", async () => {
  const input = { name: "Local", area_id: "park", local_client_id: "client-1", local_client_secret: "hush-hush" };
  const hub = (await manager.post("/hubs", input)).json.data;
  const row = () =>
    env.DB.prepare("SELECT local_client_id, local_client_secret FROM hubs WHERE id = ?")
      .bind(hub.id)
      .first<{ local_client_id: string | null; local_client_secret: string | null }>();

  const stored = await row();
  expect(await open(stored?.local_client_secret ?? "", env.SETTINGS_KEY)).toBe("hush-hush");
  await manager.put(`/hubs/${hub.id}`, { name: "Local", area_id: "park" });
  expect(await row()).toEqual(stored);
  await manager.put(`/hubs/${hub.id}`, { name: "Local", area_id: "park", local_client_secret: "" });
  expect(await row()).toMatchObject({ local_client_id: stored?.local_client_id, local_client_secret: null });

  const told = JSON.stringify([hub, await manager.get("/hubs"), await audits()]);
  expect(told).not.toMatch(/hush-hush|client-1|v1\./);
  expect(told).toContain("local_credentials");
});

test.each([
  ["a new address", { ip_address: "203.0.113.9" }],
  ["no address", { ip_address: "" }],
  ["a new port", { port: 8443 }],
])("%s drops the stored credentials, so that they are never sent to a new address", async (_, change) => {
  const input = { name: "Kept", area_id: "park", ip_address: "10.0.0.5", port: 1080 };
  const secrets = { local_client_id: "client-1", local_client_secret: "hush-hush" };
  const hub = (await manager.post("/hubs", { ...input, ...secrets })).json.data;
  expect(hub.has_local_credentials).toBe(true);
  expect((await manager.put(`/hubs/${hub.id}`, { ...input, name: "Renamed" })).json.data.has_local_credentials).toBe(
    true,
  );
  const moved = await manager.put(`/hubs/${hub.id}`, { ...input, ...change });
  expect(moved.json.data.has_local_credentials).toBe(false);
  expect(await credentialsOf(hub.id)).toEqual({ local_client_id: null, local_client_secret: null });
  expect((await audits()).at(-1)?.details).toContain('"local_credentials":"removed"');
  const back = await manager.put(`/hubs/${hub.id}`, input);
  expect(back.json.data.has_local_credentials).toBe(false);
  const again = await manager.put(`/hubs/${hub.id}`, { ...input, ...change, ...secrets });
  expect(again.json.data.has_local_credentials).toBe(true);
});

test.each([
  ["both are removed", { local_client_id: "", local_client_secret: "" }, "removed"],
  ["one is removed", { local_client_secret: "" }, "removed"],
  ["one is replaced", { local_client_secret: "another" }, "changed"],
  ["one is brought to a new address", { ip_address: "10.0.0.6", local_client_id: "another" }, "changed"],
  ["none is named", {}, undefined],
])(
  "the entry of an edit in which %s says what became of the credentials, and whether any is left",
  async (_, more, local_credentials) => {
    const input = { name: "Told", area_id: "park", ip_address: "10.0.0.5" };
    const secrets = { local_client_id: "client-1", local_client_secret: "hush-hush" };
    const { id } = (await manager.post("/hubs", { ...input, ...secrets })).json.data;
    const { has_local_credentials } = (await manager.put(`/hubs/${id}`, { ...input, ...more })).json.data;
    const { before, after } = JSON.parse((await audits()).at(-1)?.details ?? "null");
    expect(before).toMatchObject({ has_local_credentials: true });
    expect([after.has_local_credentials, after.local_credentials]).toEqual([has_local_credentials, local_credentials]);
  },
);

test("the entry of a new hub names credentials only where it has some", async () => {
  const make = async (more: object) => {
    await manager.post("/hubs", { name: "New", area_id: "park", ...more });
    return JSON.parse((await audits()).at(-1)?.details ?? "null").after;
  };
  const none = await make({ local_client_id: "", local_client_secret: "" });
  expect([none.has_local_credentials, none.local_credentials]).toEqual([false, undefined]);
  const one = await make({ local_client_secret: "hush-hush" });
  expect([one.has_local_credentials, one.local_credentials]).toEqual([true, "changed"]);
});

test("a new address drops the credential that the same write does not bring", async () => {
  const input = { name: "Half", area_id: "park", ip_address: "10.0.0.5" };
  const secrets = { local_client_id: "client-1", local_client_secret: "hush-hush" };
  const hub = (await manager.post("/hubs", { ...input, ...secrets })).json.data;
  await manager.put(`/hubs/${hub.id}`, { ...input, ip_address: "10.0.0.6", local_client_id: "client-2" });
  const { local_client_id, local_client_secret } = (await credentialsOf(hub.id)) ?? {};
  expect(await open(local_client_id ?? "", env.SETTINGS_KEY)).toBe("client-2");
  expect(local_client_secret).toBeNull();
});

function credentialsOf(id: string) {
  return env.DB.prepare("SELECT local_client_id, local_client_secret FROM hubs WHERE id = ?")
    .bind(id)
    .first<{ local_client_id: string | null; local_client_secret: string | null }>();
}

test("answers 403 for a wrong role and 404 for another organization, and changes nothing", async () => {
  const before = await fingerprint();
  const input = { name: "x", area_id: "park" };
  expect((await as("employee").post("/hubs", input)).status).toBe(403);
  expect((await as("employee").put("/hubs/park-hub", input)).status).toBe(403);
  expect((await as("employee").remove("/hubs/park-hub")).status).toBe(403);
  expect((await admin.put("/hubs/pier-hub", input)).json).toEqual({ detail: "Hub not found" });
  expect((await admin.remove("/hubs/pier-hub")).status).toBe(404);
  expect(await fingerprint()).toEqual(before);
});

test("the health list has every hub; an unchecked one is unknown", async () => {
  const { json } = await as("employee").get("/health/hubs");
  const of = (hub_id: string) => json.data.find((row: { hub_id: string }) => row.hub_id === hub_id);
  expect(of("park-hub")).toEqual({ hub_id: "park-hub", status: "online", last_seen: null, rtt_ms: 12 });
  expect(of("field-hub")).toEqual({ hub_id: "field-hub", status: "unknown", last_seen: null, rtt_ms: null });
  expect(of("pier-hub")).toBeUndefined();
});

test("an auditor of a department can neither move nor delete a hub with a light of it", async () => {
  const admin = as("admin");
  const { json } = await admin.post("/hubs", { name: "Stand hub", area_id: "park" });
  const path = `/hubs/${json.data.id}`;
  const light = { name: "Stand light", area_id: "park", hub_id: json.data.id, dept_id: "sports" };
  await admin.post("/devices", light);
  const before = await fingerprint();
  const moved = await as("auditor").put(path, { name: "Stand hub", area_id: "field" });
  expect([moved.status, moved.json]).toEqual([403, { detail: "Permission denied" }]);
  expect((await as("auditor").remove(path)).status).toBe(403);
  expect(await fingerprint()).toEqual(before);
  expect((await as("auditor").put(path, { name: "Stand hub 2", area_id: "park" })).status).toBe(200);
  expect((await admin.remove(path)).status).toBe(200);
});
