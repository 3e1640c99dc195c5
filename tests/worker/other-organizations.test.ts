import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { backups } from "#db/backup";
import { IN_BACKUPS } from "#db/backup-tables";
import { database } from "#db/database";
import { isRefusal } from "#domain/errors";
import type { Services } from "#worker/context";
import { fingerprint, servicesOf } from "../support/api";
import { aPlace, type Place } from "../support/calls";
import { anOrganization, aPerson } from "../support/door";
import { aHarbor, MARKER, rowsOfHarbor } from "../support/harbor";
import { ASKS, type Verb } from "../support/verbs";

/** The verbs that answer with many records; screens call some that the API lacks. */
const LISTS = [
  "list",
  "page",
  "choices",
  "csv",
  "everyone",
  "places",
  "deliveries",
  "inventory",
  "health",
  "onNow",
  "hits",
];
/** What a screen may ask for, with everything that a list is narrowed by left open. */
const OPEN = { q: "", sort: "", page: "1", limit: "1000", past: "true" };

/** What counts its records, tells of any of them, or lists them for a screen alone. */
const OTHERS: Verb[] = [
  "closures.listed",
  "permits.listed",
  "alarms.openCount",
  "hubs.warning",
  "messageChoices.warning",
];
const ASKED = [...Object.keys(ASKS).filter((verb) => LISTS.includes(verb.split(".")[1] ?? "")), ...OTHERS];

/** Rows of `city` in its area ?: lit and wrong lights, one of them by itself, and what many of them may depend on. */
const OWN = [
  "UPDATE devices SET problem = 'dark', problem_since = '2026-11-20' WHERE area_id = ?",
  `INSERT INTO devices (id, org_id, area_id, name, current_state, problem, problem_since)
   VALUES ('lit', 'city', ?, 'Lit', 'on', 'still on', '2026-11-20')`,
  `INSERT INTO alarms (id, org_id, kind, area_id, what, why, opened_at, seq)
   VALUES ('away', 'city', 'agent_offline', ?, 'Away', 'no answer', '2026-11-20T19:00:00.000Z', 9)`,
  // A cloud in trouble would explain what is wrong.
  `INSERT INTO settings (org_id, key, value) SELECT 'city', 'PROVIDER_MODE', '"cloud"' WHERE ? IS NOT NULL`,
];

type Asking = (of: Services, id: string) => unknown;

const LATER = { from: "2026-11-21T01:00:00Z", to: "2026-11-21T02:00:00Z", reason: "wet" };
const HOURS = { title: "Game", start_at: "2026-11-21T01:00:00Z", end_at: "2026-11-21T02:00:00Z" };
const PAGER = { name: "Pager", url: "https://pager.example/" };

/** What is asked of one record of another organization, by its id: of each kind what may be seen, changed or named. */
const BY_ID: Record<string, Record<string, Asking>> = {
  pilot: {
    "agents.save": (of, id) => of.agents.save(id, { name: "Mine" }),
    "agents.rotate": (of, id) => of.agents.rotate(id),
    "agents.revoke": (of, id) => of.agents.revoke(id),
    "agents.remove": (of, id) => of.agents.remove(id),
    "hubs.create": (of, agent_id) => of.hubs.create({ name: "Hub", area_id: place.area, agent_id }),
  },
  rust: {
    "alarms.acknowledge": (of, id) => of.alarms.acknowledge(id),
    "alarms.assign": (of, id) => of.alarms.assign(id, { assigned_to: "admin" }),
    "alarms.makeWorkorder": (of, id) => of.alarms.makeWorkorder(id),
  },
  pier: {
    "alarms.page": (of, area) => of.alarms.page({ area }),
    "areas.find": (of, id) => of.areas.find(id),
    "areas.detail": (of, id) => of.areas.detail(id),
    "areas.guardrails": (of, id) => of.areas.guardrails(id),
    "areas.toggle": (of, id) => of.areas.toggle(id, { action: "off" }),
    "areas.save": (of, id) => of.areas.save(id, { name: "Mine" }),
    "areas.remove": (of, id) => of.areas.remove(id),
    "closures.create": (of, id) => of.closures.create({ ...LATER, target: { type: "area", id } }),
    "closures.listed": (of, area_id) => of.closures.listed({ area_id }),
    "dashboard.find": (of, id) => of.dashboard.find(id),
    "dependents.area": (of, id) => of.dependents.area(id),
    "devices.create": (of, area_id) => of.devices.create({ name: "Mine", area_id }),
    "devices.save": (of, area_id) => of.devices.save(place.device, { name: "Mine", area_id }),
    "devices.page": (of, area) => of.devices.page({ area }),
    "devices.emergencies": (of, id) => of.devices.emergencies(id),
    "devices.maySwitchAny": (of, id) => of.devices.maySwitchAny(id),
    "forecast.list": (of, area_id) => of.forecast.list({ area_id }),
    "groups.listed": (of, id) => of.groups.listed(id),
    "groups.create": (of, area_id) => of.groups.create({ name: "Mine", area_id, device_ids: ["buoy"] }),
    "history.list": (of, area_id) => of.history.list({ area_id }),
    "hubAccount.add": (of, area_id) =>
      of.hubAccount.add({ area_id, devices: [{ cloud_device_id: "d88b01", name: "Mine", model: "YS5706-UC" }] }),
    "hubs.list": (of, area_id) => of.hubs.list({ area_id }),
    "hubs.create": (of, area_id) => of.hubs.create({ name: "Mine", area_id }),
    "hubs.save": (of, area_id) => of.hubs.save(place.hub, { name: "Mine", area_id }),
    "nights.list": (of, area_id) => of.nights.list({ area_id, date: "2026-11-19" }),
    "permits.limits": (of, id) => of.permits.limits({ type: "area", id }),
    "permits.listed": (of, area_id) => of.permits.listed({ area_id }),
    "policies.create": (of, id) => of.policies.create("area", id, { MAX_ON_DURATION_MIN: 9 }),
    "policies.save": (of, id) => of.policies.save("area", id, { MAX_ON_DURATION_MIN: 9 }),
    "policies.remove": (of, id) => of.policies.remove("area", id),
    "schedules.create": (of, id) => of.schedules.create({ ...HOURS, target: { type: "area", id } }),
    "schedules.page": (of, area) => of.schedules.page({ area }),
    "tonight.lights": (of, area_id) => of.tonight.lights({ area_id }),
    "tonight.area": (of, id) => of.tonight.area(id),
    "week.page": (of, area) => of.week.page({ area }),
    "workorders.create": (of, area_id) => of.workorders.create({ title: "Mine", area_id }),
    "workorders.page": (of, area) => of.workorders.page({ area }),
  },
  "pier-hub": {
    "connectivity.pingHub": (of, hub_id) => of.connectivity.pingHub({ hub_id }),
    "dependents.hub": (of, id) => of.dependents.hub(id),
    "dependents.movedHub": (of, id) => of.dependents.movedHub(id),
    "devices.create": (of, hub_id) => of.devices.create({ name: "Mine", area_id: place.area, hub_id }),
    "hubAccount.list": (of, hub_id) => of.hubAccount.list({ hub_id }),
    "hubs.save": (of, id) => of.hubs.save(id, { name: "Mine", area_id: place.area }),
    "hubs.remove": (of, id) => of.hubs.remove(id),
  },
  buoy: {
    "closures.create": (of, id) => of.closures.create({ ...LATER, target: { type: "device", id } }),
    "connectivity.readState": (of, device_id) => of.connectivity.readState({ device_id }),
    "connectivity.testSwitch": (of, device_id) => of.connectivity.testSwitch({ device_id, action: "on" }),
    "connectivity.endTest": (of, device_id) => of.connectivity.endTest({ device_id }),
    "dependents.device": (of, id) => of.dependents.device(id),
    "dependents.movedDevice": (of, id) => of.dependents.movedDevice(id),
    "devices.find": (of, id) => of.devices.find(id),
    "devices.detail": (of, id) => of.devices.detail(id),
    "devices.save": (of, id) => of.devices.save(id, { name: "Mine", area_id: place.area }),
    "devices.remove": (of, id) => of.devices.remove(id),
    "devices.explain": (of, id) => of.devices.explain(id),
    "devices.nextOn": async (of, id) => [...(await of.devices.nextOn([id])).values()],
    "devices.toggle": (of, id) => of.devices.toggle(id, { action: "off" }),
    "forecast.list": (of, device_id) => of.forecast.list({ device_id }),
    "groups.create": (of, id) =>
      of.groups.create({ name: "Mine", area_id: place.area, device_ids: [place.device, id] }),
    "history.list": (of, device_id) => of.history.list({ device_id }),
    "nights.list": (of, device_id) => of.nights.list({ device_id, date: "2026-11-19" }),
    "permits.create": (of, id) => of.permits.create({ ...LATER, target: { type: "device", id } }),
    "schedulerEvents.list": (of, device_id) => of.schedulerEvents.list({ device_id }),
    "schedules.create": (of, device_id) => of.schedules.create({ ...HOURS, area_id: place.area, device_id }),
    "schedules.create for several": (of, id) =>
      of.schedules.create({ ...HOURS, target: { type: "group", device_ids: [id, place.device] } }),
    "schedules.page": (of, device) => of.schedules.page({ device }),
    "tonight.light": (of, id) => of.tonight.light(id),
    "workorders.create": (of, device_id) => of.workorders.create({ title: "Mine", device_id }),
  },
  pair: {
    "closures.create": (of, id) => of.closures.create({ ...LATER, target: { type: "group", id } }),
    "groups.find": (of, id) => of.groups.find(id),
    "groups.toggle": (of, id) => of.groups.toggle(id, { action: "off" }),
    "groups.save": (of, id) => of.groups.save(id, { name: "Mine", area_id: place.area, device_ids: [place.device] }),
    "groups.remove": (of, id) => of.groups.remove(id),
    "policies.save": (of, id) => of.policies.save("group", id, { MAX_ON_DURATION_MIN: 9 }),
    "schedules.create": (of, id) => of.schedules.create({ ...HOURS, target: { type: "group", id } }),
    "week.page": (of, group) => of.week.page({ area: place.area, group }),
  },
  tide: {
    "schedules.find": (of, id) => of.schedules.find(id),
    "schedules.preview": (of, id) => of.schedules.preview({ ...HOURS, device_id: place.device }, { id }),
    "schedules.save": (of, id) => of.schedules.save(id, { ...HOURS, device_id: place.device }),
    "schedules.skip": (of, id) => of.schedules.skip(id, { date: "2026-11-20" }),
    "schedules.cancel": (of, id) => of.schedules.cancel(id),
  },
  fog: { "permits.remove": (of, id) => of.permits.remove(id) },
  wreck: {
    "closures.save": (of, id) => of.closures.save(id, { reason: "dry" }),
    "closures.reopen": (of, id) => of.closures.reopen(id),
    "closures.remove": (of, id) => of.closures.remove(id),
  },
  feast: {
    "calendars.save": (of, id) => of.calendars.save(id, { name: "Mine", dates: [] }),
    "calendars.remove": (of, id) => of.calendars.remove(id),
    "schedules.create": (of, calendar_id) =>
      of.schedules.create({
        ...HOURS,
        area_id: place.area,
        device_id: place.device,
        calendar_id,
        calendar_rule: "skip",
      }),
  },
  leak: {
    "workorders.find": (of, id) => of.workorders.find(id),
    "workorders.save": (of, id) => of.workorders.save(id, { title: "Mine" }),
    "workorders.remove": (of, id) => of.workorders.remove(id),
  },
  docks: {
    "departments.save": (of, id) => of.departments.save(id, { name: "Mine" }),
    "departments.remove": (of, id) => of.departments.remove(id),
    "departments.members": (of, id) => of.departments.members(id),
    "departments.addMember": (of, id) => of.departments.addMember(id, { user_id: "employee" }),
    "departments.removeMember": (of, id) => of.departments.removeMember(id, "keeper"),
    "dependents.department": (of, id) => of.dependents.department(id),
    "devices.create": (of, dept_id) => of.devices.create({ name: "Mine", area_id: place.area, dept_id }),
    "workorders.create": (of, dept_id) => of.workorders.create({ title: "Mine", dept_id }),
  },
  keeper: {
    "alarms.assign": (of, assigned_to) => of.alarms.assign(place.alarm, { assigned_to }),
    "departments.addMember": (of, user_id) => of.departments.addMember("sports", { user_id }),
    "departments.removeMember": (of, user_id) => of.departments.removeMember("sports", user_id),
    "users.save": (of, id) => of.users.save(id, { role: "employee" }),
    "users.remove": (of, id) => of.users.remove(id),
    "users.resetPassword": (of, id) => of.users.resetPassword(id),
    "workorders.create": (of, assigned_to) => of.workorders.create({ title: "Mine", assigned_to }),
  },
  cargo: {
    "imports.find": (of, id) => of.imports.find(id),
    "imports.apply": (of, id) => of.imports.apply(id),
  },
  bell: {
    "webhooks.save": (of, id) => of.webhooks.save(id, PAGER),
    "webhooks.rotate": (of, id) => of.webhooks.rotate(id),
    "webhooks.test": (of, id) => of.webhooks.test(id),
    "webhooks.remove": (of, id) => of.webhooks.remove(id),
  },
  rung: { "webhooks.sendAgain": (of, id) => of.webhooks.sendAgain(id) },
};

let place: Place;
const alone: Record<string, string> = {};

beforeAll(async () => {
  await anOrganization("city");
  for (const name of ["admin", "manager", "employee"]) await aPerson(name, { city: "admin" });
  await env.DB.prepare("INSERT INTO departments (id, org_id, name) VALUES ('sports', 'city', 'Sports')").run();
  place = await aPlace();
  // Without one of its own, those of others would be counted beside nothing.
  await env.DB.batch(OWN.map((row) => env.DB.prepare(row).bind(place.area)));
  for (const verb of ASKED) alone[verb] = await told(verb);
  await aHarbor();
});

test.each(ASKED)("%s answers with nothing of another organization, and as if there were none", async (verb) => {
  const answer = await told(verb);
  expect(answer).not.toContain(MARKER);
  expect(answer).toBe(alone[verb]);
});

test.each(IN_BACKUPS)("a backup has no row of another organization's $table", async (of) => {
  const backupOf = async (org_id: string) => JSON.stringify(await backups(database(env.DB), org_id).page(of, 0));
  expect(await backupOf("harbor")).toMatch(/harbor|keeper/);
  expect(await backupOf("city")).not.toMatch(/harbor|keeper/);
});

describe.each(Object.entries(BY_ID))("of '%s'", (id, all) => {
  test.each(Object.entries(all))("%s answers as if it were nowhere", async (_, ask) => {
    const before = await fingerprint();
    const answer = await answerOf(ask, id);
    expect(answer).toBe(await answerOf(ask, "nowhere"));
    expect(answer).not.toContain(MARKER);
    expect(await fingerprint()).toEqual(before);
  });
});

test("a setting that goes back to its default does so here alone, and no other one with it", async () => {
  const save = (at: object) => servicesOf("admin").settings.saveSystem({ PROVIDER_MODE: "mock", ...at });
  await save({ CITY_LAT: 34, CITY_LON: -118 });
  const theirs = (await rowsOfHarbor())["settings"];
  await save({ CITY_LAT: null, CITY_LON: null });
  expect((await rowsOfHarbor())["settings"]).toEqual(theirs);
  expect(JSON.stringify(theirs)).toContain("CITY_LAT");
  const left = await env.DB.prepare("SELECT key FROM settings WHERE org_id = 'city' ORDER BY key").all();
  expect(left.results.map(({ key }) => key)).toEqual(["CITY_POSITIONS", "PROVIDER_MODE"]);
});

test("hubs out of reach are warned of here alone", async () => {
  await env.DB.batch([
    env.DB.prepare("UPDATE hubs SET agent_id = NULL, ip_address = '10.0.0.9' WHERE id = 'pier-hub'"),
    env.DB.prepare("UPDATE settings SET value = '\"local\"' WHERE org_id = 'city' AND key = 'PROVIDER_MODE'"),
  ]);
  expect(String(await servicesOf("admin").hubs.warning())).not.toContain(MARKER);
});

test("a key that somebody has used in another organization is a new one here", async () => {
  const of = servicesOf("admin", { idempotency_key: "used" });
  const { id } = await of.areas.create({ name: "Same" });
  await env.DB.prepare("UPDATE idempotency_keys SET org_id = 'harbor' WHERE key = 'used'").run();
  expect((await of.areas.create({ name: "Same" })).id).not.toBe(id);
});

/** What an admin of `city` is answered, or refused with. */
async function answerOf(ask: Asking, id: string): Promise<string> {
  try {
    return JSON.stringify(await ask(servicesOf("admin"), id));
  } catch (caught) {
    return isRefusal(caught) ? `${caught.code}: ${caught.detail}` : String(caught);
  }
}

/** What a verb answers to an admin of `city`, as text. */
async function told(verb: string): Promise<string> {
  const [service = "", name = ""] = verb.split(".");
  const run: unknown = Reflect.get(Reflect.get(servicesOf("admin"), service), name);
  if (typeof run !== "function") throw new Error(`${verb} is no verb`);
  // One light's, or one area's.
  const ofPlace = { area_id: place.area, date: "2026-11-19" };
  const own: Record<string, object> = {
    "forecast.list": ofPlace,
    "nights.list": ofPlace,
    // Beside `list`, which is asked for what is over.
    "closures.listed": { past: "false" },
    "permits.listed": { past: "false" },
    "search.hits": { q: MARKER },
  };
  const query = own[verb] ?? OPEN;
  const answer: unknown = await run.call(undefined, query, query);
  return answer instanceof ReadableStream ? new Response(answer).text() : JSON.stringify(answer);
}
