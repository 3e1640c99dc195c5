import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { can, type Capability } from "#domain/organization/permissions";
import type { Services } from "#worker/context";
import { at, fingerprint, refused, servicesOf } from "../support/api";
import { seedCity } from "../support/city";
import { ASKS } from "../support/verbs";

/** A part of every text of the hidden department; no answer may contain it. */
const MARKER = "rivers-secret-4c1d";
const DAY = "2026-11-20";

/** Who does not see `rivers`: a member of another department, one who only reads that, and an admin who has chosen it. */
const READERS = {
  "a manager": servicesOf("manager"),
  "an auditor": servicesOf("auditor"),
  "an admin with a chosen department": servicesOf("admin", { dept: "sports" }),
} satisfies Record<string, Services>;

/** What each screen and call is answered with; a refusal counts as an answer. */
const ASKED: Record<string, (of: Services) => unknown> = {
  "agents.list": (of) => of.agents.list(),
  "agents.choices": (of) => of.agents.choices(),
  "alarms.list": (of) => of.alarms.list({ state: "open" }),
  "alarms.list, acknowledged": (of) => of.alarms.list({ state: "acknowledged" }),
  "alarms.list, over": (of) => of.alarms.list({ state: "over" }),
  "alarms.page": (of) => of.alarms.page({}),
  "alarms.page of an area": (of) => of.alarms.page({ area: "park", tab: "acknowledged" }),
  "alarms.page of a hub": (of) => of.alarms.page({ hub: "park-hub" }),
  "alarms.openCount": (of) => of.alarms.openCount(),
  "areas.list": (of) => of.areas.list(),
  "areas.page": (of) => of.areas.page({}),
  "areas.find": (of) => of.areas.find("park"),
  "areas.detail": (of) => of.areas.detail("park"),
  "areas.guardrails": (of) => of.areas.guardrails("park"),
  "areas.toggle": (of) => of.areas.toggle("park", { action: "off" }),
  "attention.list": (of) => of.attention.list(),
  "attention.onNow": (of) => of.attention.onNow(),
  "closures.list": (of) => of.closures.list({}),
  "closures.listed": (of) => of.closures.listed({}),
  "closures.listed, past": (of) => of.closures.listed({ past: "true", area_id: "park" }),
  "connectivity.list": (of) => of.connectivity.list({}),
  "dashboard.list": (of) => of.dashboard.list(),
  "dashboard.page": (of) => of.dashboard.page({}),
  "dashboard.find": (of) => of.dashboard.find("park"),
  "dashboard.places": (of) => of.dashboard.places({}),
  "devices.list": (of) => of.devices.list(),
  "devices.page": (of) => of.devices.page({}),
  "devices.page of the wrong": (of) => of.devices.page({ show: "problems", area: "park" }),
  "devices.choices": (of) => of.devices.choices({ area: "park" }),
  "devices.emergencies": (of) => of.devices.emergencies("park"),
  "devices.emergencies of an area of theirs alone": (of) => of.devices.emergencies("field"),
  "devices.maySwitchAny": (of) => of.devices.maySwitchAny("field"),
  "devices.detail": (of) => of.devices.detail("court"),
  "devices.nextOn": (of) => of.devices.nextOn(["court", "weir"]),
  "forecast.list": (of) => of.forecast.list({ area_id: "park" }),
  "groups.list": (of) => of.groups.list(),
  "groups.listed": (of) => of.groups.listed("park"),
  "groups.find": (of) => of.groups.find("pitch"),
  "history.list": (of) => of.history.list({}),
  "history.list of a day": (of) => of.history.list({ day: DAY }),
  "history.page": (of) => of.history.page({ area: "park" }),
  "history.csv": (of) => of.history.csv({}),
  "hubs.list": (of) => of.hubs.list({}),
  "hubs.page": (of) => of.hubs.page({}),
  "hubs.health": (of) => of.hubs.health(),
  "hubs.warning": (of) => of.hubs.warning(),
  "imports.inventory": (of) => of.imports.inventory(),
  "nights.list": (of) => of.nights.list({ area_id: "park", date: DAY }),
  "notifications.list": (of) => of.notifications.list({}),
  "permits.list": (of) => of.permits.list({}),
  "permits.listed": (of) => of.permits.listed({}),
  "permits.listed, past": (of) => of.permits.listed({ past: "true", area_id: "park" }),
  "schedulerEvents.list": (of) => of.schedulerEvents.list({}),
  "schedulerEvents.page": (of) => of.schedulerEvents.page({}),
  "schedulerEvents.csv": (of) => of.schedulerEvents.csv({}),
  "schedules.list": (of) => of.schedules.list(),
  "schedules.page": (of) => of.schedules.page({}),
  "schedules.page of an area": (of) => of.schedules.page({ area: "park", status: "scheduled" }),
  "schedules.page of a light": (of) => of.schedules.page({ device: "weir" }),
  "schedules.page of a day": (of) => of.schedules.page({ on: "2026-11-21" }),
  "search.hits": (of) => of.search.hits({ q: MARKER }),
  // An area is everybody's, and says how many of its lights are hidden.
  "tonight.page": async (of) => {
    const { rows, total: _, all: __, ...more } = await of.tonight.page({});
    return { ...more, rows: rows.filter(({ all }) => all > 0) };
  },
  "tonight.lights": (of) => of.tonight.lights({ area_id: "park" }),
  "tonight.area": (of) => of.tonight.area("park"),
  "tonight.light": (of) => of.tonight.light("court"),
  "week.page": (of) => of.week.page({}),
  "week.page of an area": (of) => of.week.page({ area: "park" }),
  "workorders.list": (of) => of.workorders.list(),
  "workorders.page": (of) => of.workorders.page({}),
  "workorders.page of an area": (of) => of.workorders.page({ area: "park" }),
};

type Asking = (of: Services, id: string) => Promise<unknown>;

const GROUP = { name: "Both", area_id: "park" };
const BOOKING = { title: "Game", area_id: "park", start_at: at(50), end_at: at(51) };
const LATER = { from: at(1), to: at(2), reason: "wet" };
const SOCKET = { cloud_device_id: "d88b01", name: "Mine", model: "YS5706-UC" };

/** What is asked of one record of `rivers`, by its id. */
const BY_ID: Record<string, [hidden: string, ask: Asking]> = {
  "alarms.acknowledge": ["city:device:weir:1", (of, id) => of.alarms.acknowledge(id)],
  "alarms.assign": ["city:device:weir:1", (of, id) => of.alarms.assign(id, { assigned_to: null })],
  "alarms.makeWorkorder": ["city:device:gone:1", (of, id) => of.alarms.makeWorkorder(id)],
  "closures.create": ["weir", (of, id) => of.closures.create({ ...LATER, target: { type: "device", id } })],
  "closures.create for a group": ["dam", (of, id) => of.closures.create({ ...LATER, target: { type: "group", id } })],
  "closures.save": ["closures0", (of, id) => of.closures.save(id, { reason: "dry" })],
  "closures.reopen": ["closures1", (of, id) => of.closures.reopen(id)],
  "closures.remove": ["closures0", (of, id) => of.closures.remove(id)],
  "connectivity.readState": ["weir", (of, device_id) => of.connectivity.readState({ device_id })],
  "connectivity.testSwitch": ["weir", (of, device_id) => of.connectivity.testSwitch({ device_id, action: "on" })],
  "connectivity.endTest": ["weir", (of, device_id) => of.connectivity.endTest({ device_id })],
  "dependents.device": ["weir", (of, id) => of.dependents.device(id)],
  "dependents.movedDevice": ["weir", (of, id) => of.dependents.movedDevice(id)],
  "devices.create": ["rivers", (of, dept_id) => of.devices.create({ name: "Mine", area_id: "park", dept_id })],
  "devices.find": ["weir", (of, id) => of.devices.find(id)],
  "devices.detail": ["weir", (of, id) => of.devices.detail(id)],
  "devices.save": ["weir", (of, id) => of.devices.save(id, { name: "Mine", area_id: "park" })],
  "devices.remove": ["weir", (of, id) => of.devices.remove(id)],
  "devices.explain": ["weir", (of, id) => of.devices.explain(id)],
  "devices.toggle": ["weir", (of, id) => of.devices.toggle(id, { action: "off" })],
  "forecast.list": ["weir", (of, device_id) => of.forecast.list({ device_id })],
  "groups.find": ["dam", (of, id) => of.groups.find(id)],
  "groups.toggle": ["dam", (of, id) => of.groups.toggle(id, { action: "off" })],
  "groups.create": ["weir", (of, id) => of.groups.create({ ...GROUP, device_ids: ["gate", id] })],
  "groups.save": ["dam", (of, id) => of.groups.save(id, { ...GROUP, device_ids: ["gate"] })],
  "groups.remove": ["dam", (of, id) => of.groups.remove(id)],
  "hubAccount.add": ["rivers", (of, dept_id) => of.hubAccount.add({ area_id: "park", dept_id, devices: [SOCKET] })],
  "nights.list": ["weir", (of, device_id) => of.nights.list({ device_id, date: DAY })],
  "permits.create": ["weir", (of, id) => of.permits.create({ ...LATER, target: { type: "device", id } })],
  "permits.limits": ["dam", (of, id) => of.permits.limits({ type: "group", id })],
  "permits.remove": ["permits1", (of, id) => of.permits.remove(id)],
  "schedules.find": ["flood0", (of, id) => of.schedules.find(id)],
  "schedules.create": ["weir", (of, device_id) => of.schedules.create({ ...BOOKING, device_id })],
  "schedules.create for several": [
    "weir",
    (of, id) => of.schedules.create({ ...BOOKING, target: { type: "group", device_ids: ["gate", id] } }),
  ],
  "schedules.preview": ["flood1", (of, id) => of.schedules.preview({ ...BOOKING, device_id: "gate" }, { id })],
  "schedules.save": ["flood0", (of, id) => of.schedules.save(id, BOOKING)],
  "schedules.skip": ["flood1", (of, id) => of.schedules.skip(id, { date: "2026-11-21" })],
  "schedules.unskip": ["flood1", (of, id) => of.schedules.unskip(id, { date: "2026-11-21" })],
  "schedules.cancel": ["flood", (of, id) => of.schedules.cancel(id)],
  "tonight.light": ["weir", (of, id) => of.tonight.light(id)],
  "week.page": ["dam", (of, group) => of.week.page({ area: "park", group })],
  "workorders.find": ["leak", (of, id) => of.workorders.find(id)],
  "workorders.save": ["pump", (of, id) => of.workorders.save(id, { title: "Mine" })],
  "workorders.create": ["weir", (of, id) => of.workorders.create({ title: "Mine", device_id: id })],
  "workorders.create there": ["rivers", (of, dept_id) => of.workorders.create({ title: "Mine", dept_id })],
  "workorders.remove": ["leak", (of, id) => of.workorders.remove(id)],
};

/** Why the other verbs are not asked. Those that admins alone may ask are left out: an admin sees every department. */
const NOT_ASKED: Record<string, string> = {
  "it is of the whole city":
    "areas.create areas.save hubs.create hubs.save hubs.remove connectivity.pingHub calendars.list calendars.create " +
    "calendars.save calendars.importFile calendars.remove settings.find settings.guardrails settings.night",
  "it is the person's own":
    "imports.list imports.find imports.apply messageChoices.find messageChoices.ways messageChoices.save messageChoices.test",
  "people belong to no department": "messageChoices.everyone messageChoices.warning users.list",
  "it tells of the departments that the person is in": "departments.list",
  "it tells of lights that the screen was answered with": "devices.told",
  "it tells how many lights depend on a hub, on purpose": "dependents.hub dependents.movedHub",
  "it tells that a light is here already, on purpose": "hubAccount.list imports.create imports.upload",
  "it is a file to fill in": "imports.template",
  "it changes what it tells of, and alarms.test.ts asks it": "alarms.acknowledgeAll",
};

/** That lights are hidden, how many of a place's, and that what is for these, too, may not be written, is told on purpose. */
const TOLD = ["hidden", "hides", "devices_hidden", "may_write", "may_affect"];

/** What belongs to those who see the lights of `sports`, so that each list and count has something of its own. */
const OWN = [
  "INSERT INTO device_groups (id, org_id, area_id, name) VALUES ('pitch', 'city', 'park', 'Pitch')",
  "INSERT INTO group_devices (org_id, group_id, device_id) VALUES ('city', 'pitch', 'court')",
  `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, last_end_at, timezone)
   VALUES ('game', 'city', 'court', 'Game', '${at(20)}', '${at(22)}', '${at(22)}', 'UTC')`,
  "UPDATE devices SET problem = 'still on', problem_since = '2026-11-20T19:00:00.000Z' WHERE id = 'court'",
  `INSERT INTO alarms (id, org_id, kind, device_id, device_name, area_id, area_name, dept_id, what, why, opened_at, seq)
   VALUES ('city:device:court:1', 'city', 'device_failed', 'court', 'Court light', 'park', 'Elm Park', 'sports', 'On', 'still on', '${at(-1)}', 1)`,
  `INSERT INTO workorders (id, org_id, title, area_id, device_id, dept_id, created_at)
   VALUES ('lamp', 'city', 'Lamp', 'park', 'court', 'sports', '${at(-900)}')`,
];

const LIGHT = `org_id, area_id, dept_id, name, model, notes, cloud_device_id, current_state, problem, problem_since, hold`;
const AS_LIGHT = `'city', 'park', 'rivers', 'M', 'M', 'M', 'M', 'on', 'M', '2026-11-20T18:00:00.000Z', '${JSON.stringify(
  { action: "on", until: "2036-11-20T21:00:00.000Z", reason: "M", by: "M", emergency: true },
)}'`;
const PLAN = `'M', 'M', '${at(19)}', '${at(21)}', '${at(21)}', 'UTC'`;
const LIMIT = `'${at(-1)}', '${at(300_000)}', 'M', 'M'`;
const OVER = `'${at(-9)}', '${at(-8)}', 'M', 'M'`;
const ALARM = `'city', 'device_failed', 'M', 'park', 'Elm Park', 'rivers', 'M', 'M', 'M', '${at(-2)}'`;

/** Rows of `rivers` wherever a row can be of a department's lights; M stands for the marker. */
const HIDDEN = [
  "UPDATE departments SET name = 'M' WHERE id = 'rivers'",
  `INSERT INTO devices (id, ${LIGHT}, hub_id) VALUES ('weir', ${AS_LIGHT}, 'park-hub')`,
  `INSERT INTO devices (id, ${LIGHT}) VALUES ('lock', ${AS_LIGHT.replace("'park'", "'field'")})`,
  "INSERT INTO device_groups (id, org_id, area_id, name) VALUES ('dam', 'city', 'park', 'M')",
  "INSERT INTO group_devices (org_id, group_id, device_id) VALUES ('city', 'dam', 'weir')",
  "INSERT INTO policies (org_id, scope, scope_id, BLACKOUT_WINDOW) VALUES ('city', 'group', 'dam', '01:00-02:00')",
  ...["device_id', 'weir", "group_id', 'dam"].flatMap((target, i) => {
    const [column = "", id = ""] = target.split("', '");
    return [
      `INSERT INTO schedules (id, org_id, ${column}, title, description_short, start_at, end_at, last_end_at, timezone) VALUES ('flood${i}', 'city', '${id}', ${PLAN})`,
      ...["permits", "closures"].flatMap((table) => [
        `INSERT INTO ${table} (id, org_id, ${column}, from_at, to_at, reason, created_by) VALUES ('${table}${i}', 'city', '${id}', ${LIMIT})`,
        `INSERT INTO ${table} (id, org_id, ${column}, from_at, to_at, reason, created_by) VALUES ('${table}${i}-over', 'city', '${id}', ${OVER})`,
      ]),
    ];
  }),
  // The field has none of their lights.
  `INSERT INTO schedules (id, org_id, area_id, title, description_short, start_at, end_at, last_end_at, timezone) VALUES ('flood', 'city', 'field', ${PLAN})`,
  ...["weir", "gone"].flatMap((light) => [
    `INSERT INTO alarms (org_id, kind, device_name, area_id, area_name, dept_id, dept_name, what, why, opened_at, id, device_id, seq) VALUES (${ALARM}, 'city:device:${light}:1', '${light}', 2)`,
    `INSERT INTO alarms (org_id, kind, device_name, area_id, area_name, dept_id, dept_name, what, why, opened_at, id, device_id, seq, acknowledged_at, acknowledged_by) VALUES (${ALARM}, 'city:device:${light}:2', '${light}', 3, '${at(-1)}', 'M')`,
    `INSERT INTO alarms (org_id, kind, device_name, area_id, area_name, dept_id, dept_name, what, why, opened_at, id, device_id, seq, over_at) VALUES (${ALARM}, 'city:device:${light}:3', '${light}', 4, '${at(-1)}')`,
    `INSERT INTO notifications (id, org_id, incident, kind, message, recipients, status) VALUES ('told-${light}', 'city', 'device:${light}:1', 'device_failed', 'M', '["M"]', 'sent')`,
  ]),
  `INSERT INTO notifications (id, org_id, incident, kind, message, recipients, status) VALUES ('digest', 'city', 'digest:admin-of-rivers:1', 'digest', 'M', '["M"]', 'sent')`,
  `INSERT INTO workorders (id, org_id, title, description, area_id, device_id, dept_id, priority, created_at) VALUES ('leak', 'city', 'M', 'M', 'park', 'weir', 'rivers', 'urgent', '${at(-900)}')`,
  // Of a light that they see, and from its alarm.
  `INSERT INTO workorders (id, org_id, title, description, area_id, device_id, dept_id, alarm_id, priority, created_at) VALUES ('pump', 'city', 'M', 'M', 'park', 'court', 'rivers', 'city:device:court:1', 'urgent', '${at(-900)}')`,
  `INSERT INTO device_events (id, org_id, created_at, device_id, area_id, dept_id, device_name, schedule_title, response_snippet, action, result) VALUES ('de', 'city', '${at(-1)}', 'weir', 'park', 'rivers', 'M', 'M', 'M', 'on', 'success')`,
  `INSERT INTO scheduler_events (id, org_id, ts, device_id, dept_id, device_name, source, action, result, attempts, note) VALUES ('se', 'city', '${at(-1)}', 'weir', 'rivers', 'M', 'manual', 'on', 'ok', 1, 'M')`,
  `INSERT INTO connectivity_logs (id, org_id, action, device_id, dept_id, device_name, hub_name, result, response_snippet) VALUES ('cl', 'city', 'on', 'weir', 'rivers', 'M', 'M', 'success', 'M')`,
  `INSERT INTO state_changes (org_id, device_id, kind, at, state, sentence) VALUES ('city', 'weir', 'desired', '${at(-1)}', 'on', 'M')`,
];

/** What concerns lights of both: they are shown, and what is hidden of them is not named. */
const SHARED = [
  "INSERT INTO group_devices (org_id, group_id, device_id) VALUES ('city', 'pitch', 'weir')",
  "INSERT INTO device_groups (id, org_id, area_id) VALUES ('ticked', 'city', 'park')",
  "INSERT INTO group_devices (org_id, group_id, device_id) VALUES ('city', 'ticked', 'weir'), ('city', 'ticked', 'court')",
  ...["group_id', 'pitch", "group_id', 'ticked", "area_id', 'park"].flatMap((target, i) => {
    const [column = "", id = ""] = target.split("', '");
    return [
      `INSERT INTO schedules (id, org_id, ${column}, title, start_at, end_at, last_end_at, timezone) VALUES ('both${i}', 'city', '${id}', 'Both', '${at(30)}', '${at(32)}', '${at(32)}', 'UTC')`,
      `INSERT INTO permits (id, org_id, ${column}, from_at, to_at, reason, created_by) VALUES ('permit${i}', 'city', '${id}', '${at(1)}', '${at(2)}', 'both', 'ada')`,
      `INSERT INTO closures (id, org_id, ${column}, from_at, to_at, reason, created_by) VALUES ('closure${i}', 'city', '${id}', '${at(1)}', '${at(2)}', 'both', 'ada')`,
    ];
  }),
  // Of everybody, and of a light that not everybody sees.
  `INSERT INTO workorders (id, org_id, title, device_id, created_at) VALUES ('fence', 'city', 'Fence', 'weir', '${at(-900)}')`,
];

const cases = Object.keys(READERS).flatMap((reader) => Object.keys(ASKED).map((verb) => [reader, verb] as const));
const alone: Record<string, string> = {};
const beside: Record<string, string> = {};
const shared: Record<string, string> = {};

beforeAll(async () => {
  await seedCity();
  await write(["DELETE FROM devices WHERE id = 'weir'", ...OWN]);
  await tell(alone);
  await write(HIDDEN);
  await tell(beside);
  await write(SHARED);
  await tell(shared);
}, 60_000);

describe.each(Object.keys(READERS))("%s", (reader) => {
  test.each(Object.keys(ASKED))("is answered %s as if there were no hidden department", (verb) => {
    const key = `${reader} ${verb}`;
    expect(beside[key]).not.toContain(MARKER);
    expect(beside[key]).toBe(alone[key]);
    expect(shared[key]).not.toContain(MARKER);
  });
});

describe.each(Object.entries(READERS))("%s", (reader, of) => {
  // What is made goes by what the person is a member of, whichever department is chosen.
  const isByChoice = (verb: string) => !/\.(create|add|limits)/.test(verb);
  const verbs = Object.keys(BY_ID).filter((verb) => isByChoice(verb) || !reader.includes("chosen"));
  test.each(verbs)("is refused %s as if the record were not there", async (verb) => {
    const [hidden, ask] = BY_ID[verb] ?? ["", () => Promise.resolve()];
    const before = await fingerprint();
    const answer = await refused(ask(of, hidden));
    expect(answer).toBe(await refused(ask(of, "nowhere")));
    expect(answer).toMatch(
      /^(not_found|invalid|forbidden): .* not found$|^invalid: Choose |^forbidden: Permission denied$/,
    );
    expect(await fingerprint()).toEqual(before);
  });
});

test("every verb is asked, or it is said why not", () => {
  const isForAdmins = (needs: Capability | null) => needs !== null && !can({ role: "manager" }, needs);
  const asked = [...Object.keys(ASKED), ...Object.keys(BY_ID)].map((name) => name.replace(/[, ].*/, ""));
  const others = Object.entries(ASKS).filter(([verb, needs]) => !asked.includes(verb) && !isForAdmins(needs));
  const named = Object.values(NOT_ASKED).flatMap((names) => names.split(" "));
  expect(others.map(([verb]) => verb).toSorted()).toEqual(named.toSorted());
});

async function tell(answers: Record<string, string>): Promise<void> {
  for (const [reader, verb] of cases) answers[`${reader} ${verb}`] = await told(reader, verb);
}

/** What a verb answers, or refuses with, as text. */
async function told(reader: string, verb: string): Promise<string> {
  const of = Object.entries(READERS).find(([name]) => name === reader)?.[1];
  try {
    const answer = of && (await ASKED[verb]?.(of));
    if (answer instanceof ReadableStream) return await new Response(answer).text();
    const shown = answer instanceof Map ? [...answer] : answer;
    return JSON.stringify(shown, (key, value: unknown) => (TOLD.includes(key) ? undefined : value), 1);
  } catch (caught) {
    return String(caught);
  }
}

async function write(statements: string[]): Promise<void> {
  const marked = statements.map((one) => one.replaceAll("'M'", `'${MARKER}'`).replaceAll('"M"', `"${MARKER}"`));
  await env.DB.batch(marked.map((one) => env.DB.prepare(one)));
}
