import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { aroundOf as aroundArea } from "#app/routes/area/around-of";
import { aroundOf as aroundLight } from "#app/routes/device/around-of";
import type { Services } from "#worker/context";
import { ASKS, type Verb } from "../support/verbs";
import { NOW, servicesOf, type More } from "../support/api";
import { seedCity } from "../support/city";
import { slowSteps } from "../support/query-plans";
import { planOf, recordedDatabase, type Recorded } from "../support/recorded";

const FEW = 200;
const MANY = 2_000;
const booking = {
  title: "Practice",
  area_id: "area-1",
  device_id: "light-1",
  start_at: new Date(NOW.getTime() + 3_600_000).toISOString(),
  end_at: new Date(NOW.getTime() + 7_200_000).toISOString(),
};

type Case = {
  /** An admin, unless it matters that some departments are hidden. */
  who?: "manager" | "inspector";
  run: (services: Services) => Promise<unknown>;
  /** Why it may read more rows in a larger city; without it, it may not. */
  grows?: string;
  /** Why it may read a whole table or sort on the fly; without it, it may not. */
  slow?: string;
};

const COUNTS = "it says how many there are, so each row of the organization is counted";
const PAGE_SORT = "people choose the order and the filter of a page; one organization's rows are sorted for it";
const ALL = "the API's list is complete";
const IN_ORDER = "people read them in an order of its own, and they are few or all of them are wanted";
const BY_START = "people read what is in force and to come by its start";
const AT_ONCE = "what ended at the same instant is read by id";
const RULES = "each schedule's rule is asked for the day, which SQL cannot do";
const FEW_LIMITS = "a limit is for an area, a group or a light, and all that are not over are asked for theirs";

const CASES: Record<string, Case> = {
  "the dashboard": {
    run: ({ dashboard }) => dashboard.page({}),
    grows: "its summary counts every hub and light",
  },
  "the API's dashboard": { run: ({ dashboard }) => dashboard.list(), grows: ALL },
  "the map": {
    run: ({ dashboard }) => dashboard.places({}),
    grows: "it shows every area and counts every light",
  },
  "the map of some departments": {
    who: "manager",
    run: ({ dashboard }) => dashboard.places({}),
    grows: "it shows every area and counts every light",
  },
  "what needs attention": {
    run: ({ attention }) => attention.list(),
    grows: "it says how many there are: each open work order of some age is looked at for that",
    slow: "what is worst comes first, and then what is longest so",
  },
  "what is on now": {
    run: ({ attention }) => attention.onNow(),
    grows: "it counts every lit light",
    slow: "the areas with the most lit lights come first",
  },
  "a page of areas": { run: ({ areas }) => areas.page({}), grows: COUNTS },
  "a page of hubs": { run: ({ hubs }) => hubs.page({}), grows: COUNTS, slow: PAGE_SORT },
  "a page of devices": { run: ({ devices }) => devices.page({}), grows: COUNTS, slow: PAGE_SORT },
  "a page of schedules": { run: ({ schedules }) => schedules.page({}), grows: COUNTS, slow: PAGE_SORT },
  "a page of areas, some with a light that one only reads": {
    who: "inspector",
    run: ({ areas }) => areas.page({}),
    grows: COUNTS,
  },
  "a page of hubs, some with a light that one only reads": {
    who: "inspector",
    run: ({ hubs }) => hubs.page({}),
    grows: COUNTS,
    slow: PAGE_SORT,
  },
  "a page of schedules, some for a light that one only reads": {
    who: "inspector",
    run: ({ schedules }) => schedules.page({}),
    grows: COUNTS,
    slow: PAGE_SORT,
  },
  "the dashboard of who reads some lights only": {
    who: "inspector",
    run: ({ dashboard }) => dashboard.page({}),
    grows: "its summary counts every hub and light",
  },
  "the groups of an area, some with a light that one only reads": {
    who: "inspector",
    run: ({ groups }) => groups.listed("area-1"),
    slow: IN_ORDER,
  },
  "the permits, some for a light that one only reads": {
    who: "inspector",
    run: ({ permits }) => permits.listed({}),
    grows: ALL,
    slow: BY_START,
  },
  "the closures, some for a light that one only reads": {
    who: "inspector",
    run: ({ closures }) => closures.listed({}),
    grows: ALL,
    slow: BY_START,
  },
  "one area, with a light that one only reads": { who: "inspector", run: ({ areas }) => areas.find("area-1") },
  "one schedule, for a light that one only reads": {
    who: "inspector",
    run: ({ schedules }) => schedules.find("plan-1"),
  },
  "a page of areas by type, status and words": {
    run: ({ areas }) => areas.page({ q: "area", type: "park", status: "active", sort: "newest" }),
    grows: COUNTS,
    slow: PAGE_SORT,
  },
  "a page of hubs by area, status, mode and words": {
    run: ({ hubs }) => hubs.page({ q: "hub", area: "area-1", status: "unknown", mode: "cloud", sort: "seen" }),
    grows: COUNTS,
    slow: PAGE_SORT,
  },
  "a page of devices by area, state and words": {
    run: ({ devices }) => devices.page({ q: "light", area: "area-1", state: "unknown", sort: "updated" }),
    grows: COUNTS,
    slow: PAGE_SORT,
  },
  "a page of devices by department and type": {
    run: ({ devices }) => devices.page({ dept: "sports", type: "park", sort: "area" }),
    grows: COUNTS,
    slow: PAGE_SORT,
  },
  "a page of devices with problems": {
    run: ({ devices }) => devices.page({ show: "problems", sort: "state" }),
    grows: COUNTS,
    slow: PAGE_SORT,
  },
  "a page of schedules by area, status and words": {
    run: ({ schedules }) => schedules.page({ q: "match", area: "area-1", status: "scheduled", sort: "device" }),
    grows: COUNTS,
    slow: PAGE_SORT,
  },
  "a page of schedules by device": {
    run: ({ schedules }) => schedules.page({ device: "light-1", sort: "title" }),
    grows: COUNTS,
    slow: PAGE_SORT,
  },
  "a page of schedules by department": {
    run: ({ schedules }) => schedules.page({ dept: "sports", sort: "latest" }),
    grows: COUNTS,
    slow: PAGE_SORT,
  },
  "a page of schedules of a day": {
    run: ({ schedules }) => schedules.page({ on: "2026-11-22" }),
    grows: RULES,
    slow: PAGE_SORT,
  },
  "a page of schedules of a day by department and words": {
    run: ({ schedules }) => schedules.page({ on: "2026-11-22", q: "plan", dept: "org-wide", sort: "title", page: "5" }),
    grows: RULES,
    slow: PAGE_SORT,
  },
  "a page of work orders by area, status and words": {
    run: ({ workorders }) => workorders.page({ q: "bulb", area: "area-1", status: "open", sort: "priority" }),
    grows: COUNTS,
    slow: PAGE_SORT,
  },
  "a page of work orders by department and priority": {
    run: ({ workorders }) => workorders.page({ dept: "sports", priority: "medium", sort: "title" }),
    grows: COUNTS,
    slow: PAGE_SORT,
  },
  "the search over everything": {
    run: ({ search }) => search.hits({ q: "light" }),
    grows: "it looks for a word within the names of one organization",
    slow: "the first six of each kind are sorted as in its list",
  },
  "a page of workorders": { run: ({ workorders }) => workorders.page({}), grows: COUNTS, slow: PAGE_SORT },
  "a page of the events": { run: ({ schedulerEvents }) => schedulerEvents.page({}) },
  "a page of the history": { run: ({ history }) => history.page({}) },
  "a page of the audit log": { run: ({ audit }) => audit.page({}) },
  "the night of a page of areas": {
    run: ({ tonight }) => tonight.page({}),
    grows: "its summary counts every light",
    slow: "what is wrong comes first, and one organization's areas are sorted for it",
  },
  "the night of one area": {
    run: ({ tonight }) => tonight.lights({ area_id: "area-1" }),
    slow: "its lights are sorted by name",
  },
  "the night of one light": { run: ({ tonight }) => tonight.light("light-1") },
  "the week of one area": {
    run: ({ week }) => week.page({ area: "area-1" }),
    grows: "its picker names every area",
    slow: "people read areas and groups by name, and schedules by their start",
  },
  "the week of a group": {
    who: "manager",
    run: ({ week }) => week.page({ area: "area-1", group: "group-1" }),
    grows: "its picker names every area",
    slow: "people read areas and groups by name, and schedules by their start",
  },
  "the week that nobody chose a place for": {
    run: ({ week }) => week.page({}),
    grows: "each area is asked whether something is scheduled in it",
    slow: "the first area by name is taken",
  },
  "one device": { run: ({ devices }) => devices.find("light-1") },
  "the page of one device": {
    run: ({ devices }) => devices.detail("light-1"),
    slow: "its few open work orders are sorted by age",
  },
  "one area's summary": { run: ({ dashboard }) => dashboard.find("area-1") },
  "the open alarms": {
    run: ({ alarms }) => alarms.page({}),
    grows: COUNTS,
  },
  "the open alarms of visible lights": {
    who: "manager",
    run: ({ alarms }) => alarms.page({}),
    grows: COUNTS,
  },
  "the alarms that are over": {
    run: ({ alarms }) => alarms.page({ tab: "over" }),
    grows: COUNTS,
  },
  "how many alarms are open": { run: ({ alarms }) => alarms.openCount() },
  "an acknowledged alarm": { run: ({ alarms }) => alarms.acknowledge("alarm-1") },
  "all open alarms acknowledged": { run: ({ alarms }) => alarms.acknowledgeAll({ told_until: 1 }) },
  "an alarm's work order": { run: ({ alarms }) => alarms.makeWorkorder("alarm-2") },
  "the settings": { run: ({ settings }) => settings.find() },
  "a press": { run: ({ devices }) => devices.toggle("light-1", { action: "off" }) },
  "a booking": { run: ({ schedules }) => schedules.create(booking) },
  "the groups": {
    run: ({ groups }) => groups.list(),
    grows: ALL,
    slow: "people read them by name, and each one's lights by name",
  },
  "the groups with a visible light": {
    who: "manager",
    run: ({ groups }) => groups.list(),
    grows: ALL,
    slow: "people read them by name, and each one's lights by name",
  },
  "an area's groups": {
    run: ({ groups }) => groups.list({ area_id: "area-1" }),
    slow: "people read them by name, and each one's lights by name",
  },
  "what stands around an area on its page": {
    run: (services) => aroundArea(services, "area-1"),
    grows: FEW_LIMITS,
    slow: IN_ORDER,
  },
  "what stands around a light on its page": {
    run: (services) => aroundLight(services, { id: "light-1", area_id: "area-1" }),
    slow: IN_ORDER,
  },
  "the permits": { run: ({ permits }) => permits.list(), grows: ALL, slow: BY_START },
  "the permits for visible lights": {
    who: "manager",
    run: ({ permits }) => permits.list(),
    grows: ALL,
    slow: BY_START,
  },
  "an area's permits": { run: ({ permits }) => permits.list({ area_id: "area-1" }), grows: FEW_LIMITS, slow: BY_START },
  "the permits that are over": { run: ({ permits }) => permits.list({ past: "true" }), slow: AT_ONCE },
  "the closures": { run: ({ closures }) => closures.list(), grows: ALL, slow: BY_START },
  "the closures of visible lights": {
    who: "manager",
    run: ({ closures }) => closures.list(),
    grows: ALL,
    slow: BY_START,
  },
  "an area's closures": {
    run: ({ closures }) => closures.list({ area_id: "area-1" }),
    grows: FEW_LIMITS,
    slow: BY_START,
  },
  "the closures that are over": { run: ({ closures }) => closures.list({ past: "true" }), slow: AT_ONCE },
  "the policies": { run: ({ policies }) => policies.list(), grows: ALL },
  "the places whose policy an auditor only reads": {
    who: "inspector",
    run: ({ policies }) => policies.rightsAt([{ type: "area", id: "area-1" }]),
  },
  "an area's guardrails": { run: ({ areas }) => areas.guardrails("area-1"), slow: "its few policies are sorted" },
  "a group's booking": {
    run: ({ schedules }) => schedules.create({ ...booking, device_id: null, target: { type: "group", id: "group-1" } }),
    slow: "its few lights are sorted by name",
  },
  "a booking of all lights of an area": {
    run: ({ schedules }) => schedules.create({ ...booking, device_id: null, target: { type: "area", id: "area-1" } }),
  },
  "the API's areas": { run: ({ areas }) => areas.list(), grows: ALL },
  "the API's hubs": { run: ({ hubs }) => hubs.list(), grows: ALL, slow: IN_ORDER },
  "an area's hubs": { run: ({ hubs }) => hubs.list({ area_id: "area-1" }), slow: IN_ORDER },
  "the API's devices": { run: ({ devices }) => devices.list(), grows: ALL, slow: IN_ORDER },
  "the API's schedules": { run: ({ schedules }) => schedules.list(), grows: ALL, slow: IN_ORDER },
  "the API's work orders": { run: ({ workorders }) => workorders.list(), grows: ALL, slow: IN_ORDER },
  "the API's alarms": { run: ({ alarms }) => alarms.list({}), grows: COUNTS },
  "the API's events": { run: ({ schedulerEvents }) => schedulerEvents.list({}) },
  "the API's history": { run: ({ history }) => history.list({}) },
  "the API's audit log": { run: ({ audit }) => audit.list({}) },
  "the API's agents": { run: ({ agents }) => agents.list(), slow: IN_ORDER },
  "the API's calendars": { run: ({ calendars }) => calendars.list(), slow: IN_ORDER },
  "the API's departments": { run: ({ departments }) => departments.list(), slow: IN_ORDER },
  "the API's notifications": { run: ({ notifications }) => notifications.list(), slow: IN_ORDER },
  "the API's people": { run: ({ users }) => users.list(), slow: IN_ORDER },
  "the API's nights": { run: ({ nights }) => nights.list({ area_id: "area-1", from: "2026-11-20" }), slow: IN_ORDER },
  "the health of the hubs": { run: ({ hubs }) => hubs.health(), grows: ALL, slow: IN_ORDER },
  "the agents to choose from": { run: ({ agents }) => agents.choices(), slow: IN_ORDER },
  "one area": { run: ({ areas }) => areas.find("area-1") },
  "the page of one area": { run: ({ areas }) => areas.detail("area-1"), slow: IN_ORDER },
  "the emergencies of one area": { run: ({ devices }) => devices.emergencies("area-1") },
  "the emergencies of one area's visible lights": {
    who: "manager",
    run: ({ devices }) => devices.emergencies("area-1"),
  },
  "whether any light of an area is switched": { who: "manager", run: ({ devices }) => devices.maySwitchAny("area-1") },
  "one group": { run: ({ groups }) => groups.find("group-1"), slow: IN_ORDER },
  "one work order": { run: ({ workorders }) => workorders.find("order-1") },
  "one schedule": { run: ({ schedules }) => schedules.find("plan-1") },
  "the night of one area's lights": { run: ({ tonight }) => tonight.area("area-1"), slow: IN_ORDER },
  "why one device is as it is": { run: ({ devices }) => devices.explain("light-1") },
  "when a device is lit next": { run: ({ devices }) => devices.nextOn(["light-1"]) },
  "who hears of alarms": { run: ({ messageChoices }) => messageChoices.everyone(), slow: IN_ORDER },
  "whether nobody hears of alarms": { run: ({ messageChoices }) => messageChoices.warning(), slow: IN_ORDER },
  "what is not reached in this mode": { run: ({ hubs }) => hubs.warning() },
  "what goes with an area": { run: ({ dependents }) => dependents.area("area-1") },
  "what stays without a hub": { run: ({ dependents }) => dependents.hub("hub-1") },
  "what a moved hub's lights leave": { run: ({ dependents }) => dependents.movedHub("hub-1") },
  "what a moved light leaves": { run: ({ dependents }) => dependents.movedDevice("light-1") },
  "a saved hub": { run: ({ hubs }) => hubs.save("hub-1", { name: "Hub 1", area_id: "area-1" }) },
  "a deleted hub": {
    run: async ({ hubs }) => hubs.remove((await hubs.create({ name: "Spare", area_id: "area-1" })).id),
  },
  "a canceled booking": {
    run: async ({ schedules }) => schedules.cancel((await schedules.create(booking)).id),
  },
};

const STREAMED = "it streams a day, page by page";
/** What only reads and is not measured here, and why. */
const UNMEASURED: Partial<Record<Verb, string>> = {
  "audit.csv": STREAMED,
  "history.csv": STREAMED,
  "schedulerEvents.csv": STREAMED,
  "devices.choices": "it asks otherwise in a large city, which the lists' tests count",
  "forecast.list": "the engine answers it; which lights it is asked for are as with the nights",
  "devices.told": "the engine answers it alone",
};

const called = new Set<string>();

test("everything that only reads is measured, but for what says why not", () => {
  const reads = Object.entries(ASKS).flatMap(([verb, asks]) => (asks?.endsWith(".see") ? [verb] : []));
  expect(reads.filter((verb) => !called.has(verb) && !(verb in UNMEASURED))).toEqual([]);
});

const measured = new Map<string, { few: Recorded[]; many: Recorded[] }>();

beforeAll(async () => {
  await seedCity();
  for (const size of ["few", "many"] as const) {
    await grow(size === "few" ? FEW : MANY);
    for (const [name, { run, who = "admin" }] of Object.entries(CASES)) {
      const { db, statements } = recordedDatabase();
      const more: More = { db };
      await run(noted(servicesOf(who, more)));
      const known = measured.get(name) ?? { few: [], many: [] };
      measured.set(name, { ...known, [size]: statements });
    }
  }
}, 90_000);

describe.each(Object.entries(CASES))("%s", (name, { grows, slow }) => {
  test("takes as many statements in a large city as in a small one", () => {
    const { few, many } = measured.get(name) ?? { few: [], many: [] };
    expect(few.length).toBeGreaterThan(0);
    expect(many.map(({ sql }) => sql)).toEqual(few.map(({ sql }) => sql));
  });

  test(`reads ${grows ? `more rows in a large city: ${grows}` : "no more rows in a large city"}`, () => {
    const { few, many } = measured.get(name) ?? { few: [], many: [] };
    const [before, after] = [rowsOf(few), rowsOf(many)];
    if (grows) expect(after).toBeGreaterThan(before * 1.2);
    else expect(after).toBeLessThanOrEqual(before * 1.2 + 5);
    // And never more than a few for each row that there is: no statement reads a table once for each row of another.
    expect(after).toBeLessThan(8 * 2 * MANY);
  });

  test(`scans no table, and ${slow ? `sorts: ${slow}` : "sorts nothing on the fly"}`, async () => {
    const { many } = measured.get(name) ?? { many: [] };
    const steps = await Promise.all(many.filter(isPlanned).map(async (each) => slowSteps(await planOf(each))));
    if (slow) expect(steps.flat().filter((step) => step.startsWith("SCAN"))).toEqual([]);
    else expect(steps.flat()).toEqual([]);
    if (slow) expect(steps.flat()).not.toEqual([]);
  });
});

/** The services, whose called verbs are noted. */
function noted(services: Services): Services {
  return new Proxy(services, {
    get: (all, service) =>
      new Proxy(Reflect.get(all, service), {
        get(verbs, verb) {
          called.add(`${String(service)}.${String(verb)}`);
          return Reflect.get(verbs, verb);
        },
      }),
  });
}

function rowsOf(statements: Recorded[]): number {
  return statements.reduce((sum, { rows_read }) => sum + rows_read, 0);
}

function isPlanned({ sql }: Recorded): boolean {
  return /^(select|with|update|delete)/i.test(sql);
}

/**
 * A city of so many lights, each fourth of a department, in areas of ten, each with a hub, two schedules, events and a work
 * order.
 */
async function grow(lights: number): Promise<void> {
  const n = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)";
  const areas = lights / 10;
  const all: [string, number][] = [
    ["INSERT OR IGNORE INTO areas (id, org_id, name) SELECT 'area-' || i, 'city', 'Area ' || i FROM n", areas],
    [
      "INSERT OR IGNORE INTO hubs (id, org_id, area_id, name) SELECT 'hub-' || i, 'city', 'area-' || i, 'Hub ' || i FROM n",
      areas,
    ],
    [
      `INSERT OR IGNORE INTO devices (id, org_id, area_id, hub_id, dept_id, name)
       SELECT 'light-' || i, 'city', 'area-' || ((i - 1) / 10 + 1), 'hub-' || ((i - 1) / 10 + 1),
         iif(i % 4, NULL, 'rivers'), 'Light ' || i FROM n`,
      lights,
    ],
    [
      `INSERT OR IGNORE INTO schedules (id, org_id, device_id, title, start_at, end_at, rrule, timezone,
         window_start_at, window_end_at, then_start_at)
       SELECT 'plan-' || i, 'city', 'light-' || ((i - 1) / 2 + 1), 'Plan ' || i, '2026-11-01T01:00:00.000Z',
         '2026-11-01T03:00:00.000Z', 'FREQ=DAILY', 'UTC', '2026-11-21T01:00:00.000Z', '2026-11-21T03:00:00.000Z',
         '2026-11-22T01:00:00.000Z' FROM n`,
      2 * lights,
    ],
    [
      "INSERT OR IGNORE INTO device_groups (id, org_id, area_id, name) SELECT 'group-' || i, 'city', 'area-' || i, 'Pitch' FROM n",
      areas,
    ],
    [
      `INSERT OR IGNORE INTO group_devices (org_id, group_id, device_id)
       SELECT 'city', 'group-' || ((i - 1) / 10 + 1), 'light-' || i FROM n WHERE i % 10 < 4`,
      lights,
    ],
    [
      `INSERT OR IGNORE INTO schedules (id, org_id, group_id, area_id, title, start_at, end_at, rrule, timezone,
         window_start_at, window_end_at, then_start_at)
       SELECT 'shared-' || i, 'city', iif(i % 2, 'group-' || (i / 2 + 1), NULL), iif(i % 2, NULL, 'area-' || (i / 2)),
         'Match ' || i, '2026-11-01T01:00:00.000Z', '2026-11-01T03:00:00.000Z', 'FREQ=DAILY', 'UTC',
         '2026-11-21T01:00:00.000Z', '2026-11-21T03:00:00.000Z', '2026-11-22T01:00:00.000Z' FROM n`,
      2 * areas,
    ],
    ...["permits", "closures"].flatMap((table): [string, number][] => [
      [limitsOf(table, "now", "'2099-01-01T00:00:00.000Z'"), areas],
      [limitsOf(table, "past", "strftime('%Y-%m-%dT%H:%M:00.000Z', '2026-11-01', i || ' minutes')"), lights],
    ]),
    [
      `INSERT OR IGNORE INTO policies (org_id, scope, scope_id, MAX_ON_DURATION_MIN)
       SELECT 'city', iif(i % 2, 'group', 'area'), iif(i % 2, 'group-', 'area-') || i, 60 FROM n`,
      areas,
    ],
    [
      `INSERT OR IGNORE INTO device_events (id, org_id, device_id, area_id, action, result, created_at)
       SELECT 'event-' || i, 'city', 'light-' || i, 'area-' || ((i - 1) / 10 + 1), 'on', 'success', '2026-11-20T01:00:00.000Z' FROM n`,
      lights,
    ],
    [
      `INSERT OR IGNORE INTO scheduler_events (id, org_id, ts, device_id, source, action, result, attempts)
       SELECT 'event-' || i, 'city', '2026-11-20T01:00:00.000Z', 'light-' || i, 'manual', 'on', 'ok', 1 FROM n`,
      lights,
    ],
    [
      "INSERT OR IGNORE INTO workorders (id, org_id, title, device_id) SELECT 'order-' || i, 'city', 'Bulb', 'light-' || i FROM n",
      lights,
    ],
    [
      `INSERT OR REPLACE INTO alarms (id, org_id, kind, device_id, area_id, what, why, opened_at, over_at, seq)
       SELECT 'alarm-' || i, 'city', 'device_failed', 'light-' || i, 'area-' || ((i - 1) / 10 + 1), 'Dark', 'still off',
         '2026-11-20T01:00:00.000Z', iif(i > 20, '2026-11-20T02:00:00.000Z', NULL), 1 FROM n`,
      lights,
    ],
    [
      `INSERT OR IGNORE INTO audit_logs (id, org_id, created_at, action, resource_type)
       SELECT 'entry-' || ?1 || '-' || i, 'city', '2026-11-20T01:00:00.000Z', 'create', 'device' FROM n`,
      lights,
    ],
  ];
  await env.DB.batch(all.map(([insert, count]) => env.DB.prepare(`${n} ${insert}`).bind(count)));
}

/** One for an area, a group or a light in turn; the text of SQL says when it ends. */
function limitsOf(table: string, name: string, to: string): string {
  return `INSERT OR IGNORE INTO ${table} (id, org_id, area_id, group_id, device_id, from_at, to_at, reason, created_by)
    SELECT '${name}-' || i, 'city', iif(i % 3 = 0, 'area-' || (i / 10 + 1), NULL),
      iif(i % 3 = 1, 'group-' || (i / 10 + 1), NULL), iif(i % 3 = 2, 'light-' || i, NULL),
      '2026-10-01T00:00:00.000Z', ${to}, 'work', 'a@b.example' FROM n WHERE i / 10 < ?1 / 10`;
}
