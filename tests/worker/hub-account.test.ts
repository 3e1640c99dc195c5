import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listOf } from "#app/routes/hub-account/list-of";
import type { HubAccountList } from "#domain/hubs/hub-account";
import { Refusal } from "#domain/errors";
import { once } from "#worker/services/once";
import type { Scheduler } from "#worker/services/scope";
import { as, asked, audits, fingerprint, scopeFor, servicesOf, type More } from "#tests/support/api";
import { seedCity, type PersonName } from "#tests/support/city";

const light = (id: string) =>
  ({ cloud_device_id: id, name: "Pole", type: "Switch", model: "YS5706-UC", is_light: true }) as const;
const ID = "d88b4c0300000001";

/** The engine answers with this list. */
function listing(answer: HubAccountList | Error): Pick<More, "scheduler"> {
  const list = answer instanceof Error ? () => Promise.reject(answer) : () => Promise.resolve(answer);
  const sync = async (org_id: string) => void asked.push({ verb: "sync", org_id });
  const never = () => Promise.reject(new Error("not asked"));
  const scheduler: Scheduler = {
    sync,
    listHubAccount: list,
    noteLists: () => undefined,
    checkSessions: () => undefined,
    dropAgent: () => undefined,
    toggle: never,
    toggleMany: never,
    explain: never,
    pingHub: never,
    readState: never,
    testSwitch: never,
    forecast: never,
    preview: never,
    testEmail: never,
    testMessage: never,
    sendWebhook: never,
    endTest: never,
  };
  return { scheduler };
}
const list = async (who: PersonName, devices: HubAccountList & { ok: true }) =>
  (await as(who, listing(devices)).get("/hub-account/devices")).json.data;

beforeAll(seedCity);
beforeEach(async () => {
  asked.length = 0;
  await env.DB.prepare("DELETE FROM devices WHERE cloud_device_id LIKE 'd88b4c03%'").run();
});

test("lists what is not here yet, and says why another cannot be added", async () => {
  await env.DB.batch([
    env.DB.prepare("UPDATE devices SET cloud_device_id = 'D88B4C0100000001#2' WHERE id = 'gate'"),
    env.DB.prepare("UPDATE devices SET local_ref = 'd88b4c0100000002' WHERE id = 'weir'"),
  ]);
  const devices = [
    light(ID),
    light("d88b4c0100000001"),
    light("d88b4c0100000002"),
    light("short"),
    { ...light("d88b4c0100000003"), type: "Hub" as const, is_light: false },
    { ...light("d88b4c0100000004"), type: "other" as const, is_light: false },
  ];
  const refusals = async (who: PersonName) =>
    (await list(who, { ok: true, devices })).map(({ refusal }: { refusal: string | null }) => refusal);
  expect(await refusals("admin")).toEqual([
    null,
    'Here already, as "Gate light"',
    'Here already, as "Weir light"',
    "Its ID is not one that can be switched",
    "A hub, not a light",
    "Not a light",
  ]);
  expect((await refusals("manager"))[2]).toBe("Here already, in a department that is not shown to you");
});

test("of an account of ten thousand lights the screen has as many as it shows, and counts the others", async () => {
  const ids = Array.from({ length: 10_000 }, (_, n) => `d88b4c04${String(n).padStart(8, "0")}`);
  const hubs = ids.map((id) => ({ ...light(id.replace("04", "05")), type: "Hub" as const, is_light: false }));
  const { hubAccount } = servicesOf("admin", listing({ ok: true, devices: [...ids.map((id) => light(id)), ...hubs] }));
  const shown = await listOf(hubAccount.list());
  expect(JSON.stringify(shown).length).toBeLessThan(100_000);
  expect(shown).toMatchObject({ addable: { all: 10_000 }, others: { all: 10_000 }, refusal: null });
  expect(shown.addable.rows.map(({ cloud_device_id }) => cloud_device_id)).toEqual(ids.slice(0, 200));
});

test("an account that cannot be listed says why, in fixed words", async () => {
  const get = async (answer: HubAccountList | Error) => {
    const { status, json } = await as("manager", listing(answer)).get("/hub-account/devices");
    return [status, json.detail];
  };
  expect(await get({ ok: false, reason: "refused", detail: "The UAC key is not set" })).toEqual([
    409,
    "The hub account cannot be listed: The UAC key is not set",
  ]);
  expect((await get({ ok: false, reason: "unavailable", detail: "the cloud: no answer" }))[0]).toBe(503);
  expect(await get(new Error("gone"))).toEqual([503, "The switching engine did not answer. Please try again."]);
});

test("a hub's own list is asked of a hub of the organization only", async () => {
  await as("manager").get("/hub-account/devices?hub_id=park-hub");
  expect(asked).toEqual([{ verb: "listHubAccount", org_id: "city", hub_id: "park-hub" }]);
  expect((await as("manager").get("/hub-account/devices?hub_id=pier-hub")).status).toBe(422);
});

test("the chosen ones are added with area, hub and department, audited one by one, and the engine is told once", async () => {
  const before = (await audits()).length;
  const { status, json } = await as("manager").post("/hub-account/devices", {
    area_id: "park",
    hub_id: "park-hub",
    dept_id: "sports",
    devices: [
      { cloud_device_id: ID, name: "Pole 1", model: "YS5706-UC" },
      { cloud_device_id: "d88b4c0300000002", name: "Pole 2" },
    ],
  });
  expect(status).toBe(201);
  expect(json.data.map(({ name, hub_name, model }: Record<string, unknown>) => [name, hub_name, model])).toEqual([
    ["Pole 1", "Park hub", "YS5706-UC"],
    ["Pole 2", "Park hub", null],
  ]);
  expect((await audits()).slice(before).map(({ action, resource_type }) => `${action} ${resource_type}`)).toEqual([
    "create device",
    "create device",
  ]);
  expect(asked).toEqual([{ verb: "sync", org_id: "city" }]);
});

describe("all or none: nothing is added", () => {
  const one = { cloud_device_id: ID, name: "Pole 1" };
  const place = { area_id: "park", hub_id: "park-hub" };
  test("a device that is no object is told in words", async () => {
    const { status, json } = await as("manager").post("/hub-account/devices", {
      ...place,
      devices: ["d88b4c0300000001"],
    });
    expect([status, json.detail]).toEqual([422, "Each device must be an object with a Cloud ID and a name"]);
  });

  test.each([
    ["without a device", { ...place, devices: [] }, 422],
    [
      "one that is here already",
      { ...place, devices: [one, { cloud_device_id: "d88b4c0300000009", name: "Twin" }, one] },
      422,
    ],
    ["one without a name", { ...place, devices: [one, { cloud_device_id: "d88b4c0300000002", name: " " }] }, 422],
    ["a hub of another area", { ...place, hub_id: "field-hub", devices: [one] }, 422],
    ["an area of another organization", { area_id: "pier", devices: [one] }, 422],
    ["a department that is not seen", { ...place, dept_id: "rivers", devices: [one] }, 422],
    [
      "too many",
      { ...place, devices: Array.from({ length: 201 }, (_, i) => ({ ...one, cloud_device_id: `d88b4c03${i}` })) },
      422,
    ],
  ])("%s", async (_name, body, expected) => {
    const before = await fingerprint();
    expect((await as("manager").post("/hub-account/devices", body)).status).toBe(expected);
    expect(await fingerprint()).toEqual(before);
  });

  test("in a department in which one may only read", async () => {
    const body = { ...place, dept_id: "sports", devices: [one] };
    expect((await as("auditor").post("/hub-account/devices", body)).status).toBe(403);
    await expect(servicesOf("employee").hubAccount.add(body)).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("a lamp that is added twice", () => {
  const OTHER = "d88b4c0300000002";
  const body = (...ids: string[]) => ({
    area_id: "park",
    devices: ids.map((id) => ({ cloud_device_id: id, name: `Pole ${id.slice(-1)}` })),
  });
  const here = async () =>
    (await env.DB.prepare("SELECT id FROM devices WHERE cloud_device_id LIKE 'd88b4c03%'").all()).results.length;
  beforeEach(() => env.DB.prepare("DELETE FROM devices WHERE cloud_device_id LIKE 'd88b4c03%'").run());

  test("by two people at the same moment is one device", async () => {
    const answers = await Promise.all([
      as("manager").post("/hub-account/devices", body(ID)),
      as("admin").post("/hub-account/devices", body(ID.toUpperCase(), OTHER)),
    ]);
    const added = answers.filter(({ status }) => status === 201);
    expect(added).toHaveLength(1);
    expect(await here()).toBe(added[0]?.json.data.length);
  });

  test("here and in another city, which sold it, is one device in each", async () => {
    await env.DB.prepare(
      "INSERT INTO devices (id, org_id, area_id, name, cloud_device_id) VALUES ('sold', 'harbor', 'pier', 'Sold', ?)",
    )
      .bind(ID)
      .run();
    const { json } = await as("manager", listing({ ok: true, devices: [light(ID)] })).get("/hub-account/devices");
    expect(json.data).toMatchObject([{ cloud_device_id: ID, refusal: null }]);
    expect((await as("manager").post("/hub-account/devices", body(ID))).status).toBe(201);
  });

  test("after a lost answer is answered with all that was added", async () => {
    const send = () => servicesOf("manager", { idempotency_key: "lost" }).hubAccount.add(body(ID, OTHER));
    expect(await send()).toHaveLength(2);
    await env.DB.prepare("UPDATE idempotency_keys SET sealed_answer = NULL WHERE key = 'lost'").run();
    expect(await send()).toHaveLength(2);
  });

  test("is answered as the first time where that is why it was refused", async () => {
    const scope = scopeFor("manager", { idempotency_key: "again" });
    const create = { call: "hub-account", input: body(ID), again: async (id: string) => id };
    const first = () =>
      once(scope, create, async (remember) => {
        await scope.db.batch([remember("d1")[0] ?? expect.fail(), ...remember("d1").slice(1)]);
        return "d1";
      });
    const refused = async () => {
      await first();
      throw new Refusal("invalid", "Here already");
    };
    expect(await once(scope, create, refused)).toBe("d1");
  });
});
