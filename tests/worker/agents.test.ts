import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { database } from "#db/database";
import { agentAtDoor } from "#db/agents";
import { agentNamedBy } from "#domain/agent/agent-secret";
import { isSecretOf, newAgentSecret } from "#worker/auth/agent-secret";
import { as, asked, audits, fingerprint, servicesOf } from "../support/api";
import { seedCity } from "../support/city";
import { everything } from "../support/everything";

beforeAll(seedCity);

const admin = as("admin");
const manager = as("manager");
const aNew = async (name = "Riverside") => (await admin.post("/admin/agents", { name })).json.data;
const kept = (id: string) => agentAtDoor(database(env.DB), id);

test("a new agent has never connected, and its secret names it", async () => {
  const { status, json } = await admin.post("/admin/agents", { name: "  Riverside " });
  expect(status).toBe(201);
  const { id, secret } = json.data;
  expect(json.data).toEqual({
    id,
    name: "Riverside",
    version: 1,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    hint: secret.slice(-4),
    issued_at: "2026-11-20T20:00:00.000Z",
    revoked_at: null,
    status: "never",
    connected_since: null,
    last_seen: null,
    agent_version: null,
    plan_refused: null,
    hubs: [],
    secret: expect.stringMatching(new RegExp(`^lla_${id}_[\\w-]{43}$`)),
  });
  expect(agentNamedBy(secret)).toBe(id);
});

test("of a secret only the hash is stored, and no other answer and no audit entry has it", async () => {
  const { id, secret } = await aNew();
  const random = secret.slice(`lla_${id}_`.length);
  expect((await kept(id))?.secret_hash).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(await everything())).not.toContain(random);
  const listed = JSON.stringify((await manager.get("/admin/agents")).json);
  expect(listed).not.toContain(random);
  expect(listed).not.toContain((await kept(id))?.secret_hash);
});

test("an employee, who sees hubs and no agents, has none of them to choose from", async () => {
  const { id } = await aNew();
  expect(await servicesOf("manager").agents.choices()).toContainEqual({ id, name: "Riverside" });
  expect(await servicesOf("employee").agents.choices()).toEqual([]);
});

test("a new secret replaces the old one and raises the generation", async () => {
  const { id, secret } = await aNew();
  const { status, json } = await admin.post(`/admin/agents/${id}/rotate`);
  expect(status).toBe(200);
  expect(json.data).toMatchObject({ id, version: 2, revoked_at: null, hint: json.data.secret.slice(-4) });
  const row = await kept(id);
  expect(row?.generation).toBe(2);
  expect(isSecretOf(json.data.secret, row?.secret_hash ?? "")).toBe(true);
  expect(isSecretOf(secret, row?.secret_hash ?? "")).toBe(false);
});

test("a revoked agent keeps its hubs, and comes back with a new secret only", async () => {
  const { id } = await aNew();
  await manager.put("/hubs/park-hub", { name: "Park hub", area_id: "park", agent_id: id });
  const revoked = (await admin.post(`/admin/agents/${id}/revoke`)).json.data;
  expect(revoked).toMatchObject({
    revoked_at: "2026-11-20T20:00:00.000Z",
    hubs: [{ id: "park-hub", name: "Park hub" }],
  });
  expect((await admin.post(`/admin/agents/${id}/revoke`)).json.data).toEqual(revoked);
  expect((await audits()).filter(({ action }) => action === "revoke")).toHaveLength(1);
  expect(await kept(id)).toMatchObject({ revoked_at: "2026-11-20T20:00:00.000Z", generation: 2 });
  expect((await admin.post(`/admin/agents/${id}/rotate`)).json.data.revoked_at).toBeNull();
  expect(await kept(id)).toMatchObject({ revoked_at: null, generation: 3 });
});

test("a deleted agent leaves its hubs without one", async () => {
  const { id } = await aNew();
  await manager.put("/hubs/field-hub", { name: "Field hub", area_id: "field", agent_id: id });
  expect((await admin.remove(`/admin/agents/${id}`)).json).toEqual({ success: true });
  const hubs = (await manager.get("/hubs")).json.data;
  expect(hubs.find((hub: { id: string }) => hub.id === "field-hub")).toMatchObject({
    agent_id: null,
    agent_name: null,
  });
  expect((await admin.remove(`/admin/agents/${id}`)).status).toBe(404);
});

test("a rename needs the version that was read", async () => {
  const { id } = await aNew();
  expect((await admin.put(`/admin/agents/${id}`, { name: "Boathouse" }, 1)).json.data).toMatchObject({
    name: "Boathouse",
    version: 2,
  });
  expect((await admin.put(`/admin/agents/${id}`, { name: "Late" }, 1)).status).toBe(409);
});

test.each([
  [{}, "Agent name is required"],
  [{ name: " " }, "Agent name is required"],
  [{ name: 7 }, "Agent name is required"],
  [{ name: "x".repeat(121) }, "Agent name may have at most 120 characters"],
  [[], "The request body must be a JSON object"],
])("refuses %j with a sentence and changes nothing", async (input, detail) => {
  const { id } = await aNew();
  const before = await fingerprint();
  for (const refused of [await admin.post("/admin/agents", input), await admin.put(`/admin/agents/${id}`, input)]) {
    expect([refused.status, refused.json.detail]).toEqual([422, detail]);
  }
  expect(await fingerprint()).toEqual(before);
});

test("who may not touch it changes nothing: a manager, an employee, another organization's admin", async () => {
  const { id } = await aNew();
  const before = await fingerprint();
  for (const [person, status] of [
    [manager, 403],
    [as("employee"), 403],
    [as("stranger"), 404],
  ] as const) {
    expect((await person.put(`/admin/agents/${id}`, { name: "Mine" })).status).toBe(status);
    expect((await person.post(`/admin/agents/${id}/rotate`)).status).toBe(status);
    expect((await person.post(`/admin/agents/${id}/revoke`)).status).toBe(status);
    expect((await person.remove(`/admin/agents/${id}`)).status).toBe(status);
  }
  expect(await fingerprint()).toEqual(before);
  expect((await as("stranger").get("/admin/agents")).json.data).toEqual([]);
});

test("each change leaves an entry that tells the secrets apart by their ends", async () => {
  const { id, hint } = await aNew();
  const rotated = (await admin.post(`/admin/agents/${id}/rotate`)).json.data;
  const entries = (await audits()).filter(({ resource_type }) => resource_type === "agent").slice(-2);
  expect(entries.map(({ action }) => action)).toEqual(["create", "rotate"]);
  const details = JSON.parse(entries[1]?.details ?? "");
  expect(details.before).toMatchObject({ hint, version: 1 });
  expect(details.after).toMatchObject({ hint: rotated.hint, version: 2, updated_at: rotated.updated_at });
});

test("with a new secret, a revocation and a deletion the engine is told to cut the agent off", async () => {
  const { id } = await aNew();
  const calls = () => asked.splice(0).flatMap(({ verb, ...more }) => (verb === "dropAgent" ? [more] : []));
  calls();
  await admin.put(`/admin/agents/${id}`, { name: "Boathouse" });
  expect(calls()).toEqual([]);
  await admin.post(`/admin/agents/${id}/rotate`);
  await admin.post(`/admin/agents/${id}/revoke`);
  await admin.remove(`/admin/agents/${id}`);
  expect(calls()).toEqual(Array.from({ length: 3 }, () => ({ org_id: "city", agent_id: id })));
});

describe("a hub's agent", () => {
  const hub = { name: "Park hub", area_id: "park" };

  test("is one of the organization's, or none", async () => {
    const { id } = await aNew("Boathouse");
    expect((await manager.put("/hubs/park-hub", { ...hub, agent_id: id })).json.data).toMatchObject({
      agent_id: id,
      agent_name: "Boathouse",
    });
    expect((await manager.put("/hubs/park-hub", hub)).json.data.agent_id).toBe(id);
    expect((await manager.put("/hubs/park-hub", { ...hub, agent_id: "" })).json.data).toMatchObject({
      agent_id: null,
      agent_name: null,
    });
  });

  test("cannot be another organization's", async () => {
    const theirs = (await as("stranger").post("/admin/agents", { name: "Pier" })).json.data;
    for (const agent_id of [theirs.id, "nowhere"]) {
      const { status, json } = await manager.put("/hubs/park-hub", { ...hub, agent_id });
      expect([status, json.detail]).toEqual([422, "Agent not found"]);
    }
  });
});

describe("a secret", () => {
  test.each(["", "lla_", "lla_x_short", `lla__${"a".repeat(43)}`, `lla_a b_${"a".repeat(43)}`, "Bearer x"])(
    "%j names nobody",
    (text) => expect(agentNamedBy(text)).toBeNull(),
  );

  test("names its agent whatever underscores it has, and fits its own hash only", () => {
    for (let i = 0; i < 200; i += 1) {
      const { secret, secret_hash } = newAgentSecret("an_agent-1");
      expect(agentNamedBy(secret)).toBe("an_agent-1");
      expect(isSecretOf(secret, secret_hash)).toBe(true);
    }
    const { secret } = newAgentSecret("a");
    expect(isSecretOf(secret, newAgentSecret("a").secret_hash)).toBe(false);
    expect(isSecretOf(secret, "")).toBe(false);
  });
});
