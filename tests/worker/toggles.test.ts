import { env } from "cloudflare:test";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { as, asked, audits, fingerprint, NOW, scopeFor, servicesOf } from "../support/api";
import { seedCity, type PersonName } from "../support/city";

beforeAll(seedCity);
beforeEach(() => {
  asked.length = 0;
});

const manager = as("manager");
/** Of the services' clock. */
const inHours = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000).toISOString();

test("a toggle with an end and a reason reaches the engine and the audit as it was asked", async () => {
  const press = { action: "off", until: inHours(2), reason: "rain" };
  expect((await as("employee").post("/devices/court/toggle", press)).status).toBe(200);
  expect(asked).toMatchObject([{ verb: "toggle", device_id: "court", ...press }]);
  expect((await audits()).at(-1)).toMatchObject({ action: "toggle", resource_type: "device" });
  expect((await manager.post("/devices/court/toggle", { action: "auto" })).json).toMatchObject({ action: "auto" });
});

test("where the engine does not answer, whoever switches a light or an area is told so", async () => {
  const silent = () => Promise.reject(new Error("the engine is away"));
  const { scheduler } = scopeFor("manager", {});
  const alone = as("manager", { scheduler: { ...scheduler, toggle: silent, toggleMany: silent } });
  for (const path of ["/devices/court/toggle", "/areas/park/toggle"]) {
    expect(await alone.post(path, { action: "off" })).toEqual({
      status: 503,
      json: { detail: "The switching engine did not answer. Please try again." },
    });
  }
});

test.each([
  [{ action: "auto", until: inHours(1) }, "Back to the schedule has no end"],
  [{ action: "on", until: inHours(-0.1) }, "The end must be in the future"],
  [{ action: "on", until: inHours(24.1) }, "The end must be within 24 hours"],
  [{ action: "on", until: "tomorrow" }, "The end must be a date and time"],
  [{ action: "on", until: 7 }, "The end must be a date and time"],
  [{ action: "off", reason: "x".repeat(201) }, "Reason may have at most 200 characters"],
  [{ action: "off", until: inHours(1), reason: "fire", emergency: true }, "An emergency turns lights on"],
  [{ action: "on", reason: "fire", emergency: true }, "An emergency needs an end"],
  [{ action: "on", until: inHours(1), emergency: true }, "An emergency needs a reason"],
  [{ action: "on", until: inHours(12.1), reason: "fire", emergency: true }, "An emergency lasts at most 12 hours"],
  [{ action: "on", until: inHours(1), reason: "fire", emergency: "perhaps" }, "Emergency must be true or false"],
])("a toggle of %j is refused with a sentence, and nothing changes", async (input, detail) => {
  const before = await fingerprint();
  for (const path of ["/devices/court/toggle", "/areas/park/toggle"]) {
    const { status, json } = await manager.post(path, input);
    expect(status).toBe(422);
    expect(json.detail).toBe(detail);
  }
  expect(asked).toEqual([]);
  expect(await fingerprint()).toEqual(before);
});

test("an emergency is for managers and admins", async () => {
  const police = { action: "on", until: inHours(3), reason: "police", emergency: true };
  expect((await as("employee").post("/devices/court/toggle", police)).status).toBe(403);
  expect((await as("employee").post("/areas/park/toggle", police)).status).toBe(403);
  expect(asked).toEqual([]);
  expect((await manager.post("/devices/court/toggle", police)).status).toBe(200);
  expect(asked).toMatchObject([{ emergency: true, reason: "police" }]);
});

test("a toggle of an area is one call and one audit entry, with a row for each light that is visible", async () => {
  const before = (await audits()).length;
  const { status, json } = await manager.post("/areas/park/toggle", { action: "off", until: inHours(1) });
  expect(status).toBe(200);
  const shown = json.data.map((row: { device_id: string }) => row.device_id);
  expect(shown).not.toContain("weir");
  expect(json.data).toEqual(
    shown.map((device_id: string) => ({ device_id, success: true, pending: false, detail: null })),
  );
  expect(asked).toMatchObject([{ verb: "toggleMany", device_ids: shown, action: "off" }]);
  const entries = (await audits()).slice(before);
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({ action: "toggle", resource_type: "area" });
});

test("lights that may not be switched are rows, and it is forbidden only where all of them are", async () => {
  const { json, status } = await as("auditor").post("/areas/park/toggle", { action: "off" });
  expect(status).toBe(200);
  const court = json.data.find((row: { device_id: string }) => row.device_id === "court");
  expect(court).toEqual({ device_id: "court", success: false, pending: false, detail: "Permission denied" });
  expect(asked.at(-1)).not.toMatchObject({ device_ids: expect.arrayContaining(["court"]) });

  const group = { area_id: "park", name: "Courts", device_ids: ["court"] };
  const { id } = (await manager.post("/groups", group)).json.data;
  asked.length = 0;
  expect((await as("auditor").post(`/groups/${id}/toggle`, { action: "off" })).status).toBe(403);
  expect(asked).toEqual([]);
  expect((await manager.post(`/groups/${id}/toggle`, { action: "off" })).json.data).toHaveLength(1);
  expect((await manager.post("/groups/nobody/toggle", { action: "off" })).status).toBe(404);
  expect((await manager.post("/areas/nobody/toggle", { action: "off" })).status).toBe(404);
});

test("a toggle is for at most 500 lights", async () => {
  await env.DB.prepare("INSERT INTO areas (id, org_id, name, type) VALUES ('large', 'city', 'Large', 'park')").run();
  const add = (n: number) =>
    env.DB.prepare("INSERT INTO devices (id, org_id, area_id, name) VALUES (?1, 'city', 'large', ?1)").bind(`l${n}`);
  await env.DB.batch(Array.from({ length: 500 }, (_, n) => add(n)));
  expect((await manager.post("/areas/large/toggle", { action: "off" })).json.data).toHaveLength(500);
  await add(500).run();
  const { status, json } = await manager.post("/areas/large/toggle", { action: "off" });
  expect(status).toBe(422);
  expect(json.detail).toBe("At most 500 lights are switched at once");
});

test("which emergency an OFF would end is known of every light, also beyond a page, and only of those it is for", async () => {
  const hold = { action: "on", reason: "crowd", by: "manager@parks.example", emergency: true };
  const put = (device: string, until: number, more = {}) =>
    env.DB.prepare("UPDATE devices SET hold = ? WHERE id = ?")
      .bind(JSON.stringify({ ...hold, until: new Date(until).toISOString(), ...more }), device)
      .run();
  const group = async (name: string, device_ids: string[]): Promise<string> =>
    (await manager.post("/groups", { area_id: "large", name, device_ids })).json.data.id;
  const [east, west] = [await group("East", ["l498", "l499"]), await group("West", ["l1", "l2"])];
  const told = async (name: PersonName) => {
    const { area, groups } = await servicesOf(name).devices.emergencies("large");
    const of = (id: string) => groups.find((known) => known.id === id)?.hold?.reason ?? null;
    return [area?.reason ?? null, of(east), of(west)];
  };
  expect(await told("manager")).toEqual([null, null, null]);
  await put("l1", Date.now() + 3_600_000, { emergency: false });
  await put("l2", Date.now() - 3_600_000);
  expect(await told("manager")).toEqual([null, null, null]);
  await put("l499", Date.now() + 3_600_000);
  expect(await told("manager")).toEqual(["crowd", "crowd", null]);
  await env.DB.prepare("UPDATE devices SET dept_id = 'rivers' WHERE id = 'l499'").run();
  expect(await told("manager")).toEqual([null, null, null]);
  expect(await told("admin")).toEqual(["crowd", "crowd", null]);
  // An auditor's OFF passes over the lights that they may only read.
  await env.DB.prepare("UPDATE devices SET dept_id = 'sports' WHERE id = 'l499'").run();
  expect(await told("inspector")).toEqual([null, null, null]);
  expect(await told("auditor")).toEqual([null, null, null]);
  expect(await told("employee")).toEqual(["crowd", "crowd", null]);
});

test("whether somebody may switch any light of an area is known of every light, also beyond a page", async () => {
  const told = (name: PersonName) => servicesOf(name).devices.maySwitchAny("large");
  expect([await told("auditor"), await told("employee")]).toEqual([true, true]);
  const { results } = await env.DB.prepare("SELECT id, dept_id FROM devices WHERE area_id = 'large'").all();
  await env.DB.prepare("UPDATE devices SET dept_id = 'sports' WHERE area_id = 'large'").run();
  expect([await told("auditor"), await told("inspector"), await told("employee")]).toEqual([false, false, true]);
  await env.DB.prepare("UPDATE devices SET dept_id = 'rivers' WHERE area_id = 'large'").run();
  expect([await told("employee"), await told("admin")]).toEqual([false, true]);
  await env.DB.batch(
    results.map(({ id, dept_id }) => env.DB.prepare("UPDATE devices SET dept_id = ? WHERE id = ?").bind(dept_id, id)),
  );
});

test("a device's answers show the hold in force and drop one that is over", async () => {
  // Lists go by the database's clock.
  const [later, earlier] = [3_600_000, -3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const hold = { action: "off", until: later, reason: "rain", by: "manager@parks.example", emergency: false };
  const put = (value: unknown) =>
    env.DB.prepare("UPDATE devices SET hold = ? WHERE id = 'gate'").bind(JSON.stringify(value)).run();
  await put(hold);
  expect((await manager.get("/devices/gate")).json.data.device.hold).toEqual(hold);
  await put({ ...hold, until: earlier });
  expect((await manager.get("/devices/gate")).json.data.device.hold).toBeNull();
});
