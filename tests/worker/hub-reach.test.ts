import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { as, servicesOf } from "../support/api";
import { seedCity } from "../support/city";

beforeAll(async () => {
  await seedCity();
  await admin.post("/admin/settings", { PROVIDER_MODE: "local" });
});

const admin = as("admin");
const manager = as("manager");
const hub = { name: "Park hub", area_id: "park", ip_address: "192.168.4.20" };
const WARNING = "Hub Park hub is on a private network: assign it to an agent.";
const OF_ALL = "Hub Park hub (Elm Park) is on a private network: assign it to an agent.";

test("saving a hub on a private network says that it needs an agent; with one it is silent", async () => {
  expect((await manager.put("/hubs/park-hub", hub)).json.data.warnings).toEqual([WARNING]);
  const made = (await manager.post("/hubs", { ...hub, name: "Second" })).json.data;
  expect(made.warnings).toEqual(["Hub Second is on a private network: assign it to an agent."]);
  await manager.remove(`/hubs/${made.id}`);
  const agent = (await admin.post("/admin/agents", { name: "Riverside" })).json.data;
  expect((await manager.put("/hubs/park-hub", { ...hub, agent_id: agent.id })).json.data.warnings).toEqual([]);
  await manager.put("/hubs/park-hub", { ...hub, agent_id: null });
});

test("saving the mode names the hubs that it does not reach, and the screens keep saying so", async () => {
  expect((await admin.post("/admin/settings", { PROVIDER_MODE: "mock" })).json).toEqual({ success: true });
  expect((await admin.post("/admin/settings", { PROVIDER_MODE: "local" })).json).toEqual({
    success: true,
    warnings: [OF_ALL],
  });
  const { hubs } = servicesOf("admin");
  expect(await hubs.warning()).toBe(OF_ALL);
  const { rows } = await hubs.page({});
  expect(rows.map(({ name, warning }) => [name, warning])).toEqual([
    ["Field hub", null],
    ["Park hub", WARNING],
  ]);
  // Another organization has its own mode, and has saved none yet.
  await env.DB.prepare("UPDATE hubs SET ip_address = '10.0.0.9' WHERE id = 'pier-hub'").run();
  const theirs = servicesOf("stranger").hubs;
  expect(await theirs.warning()).toBeNull();
  expect((await theirs.page({})).rows.map(({ warning }) => warning)).toEqual([null]);
});

test("a server on the hubs' own network warns of nothing", async () => {
  const direct = as("manager", { direct: true });
  expect((await direct.put("/hubs/park-hub", hub)).json.data.warnings).toEqual([]);
  expect(await servicesOf("manager", { direct: true }).hubs.warning()).toBeNull();
});
