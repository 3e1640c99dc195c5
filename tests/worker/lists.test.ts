import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { at, servicesOf } from "../support/api";
import { seedCity } from "../support/city";
import { countedDatabase } from "../support/counted";
import { recordedDatabase } from "../support/recorded";

const LISTS = ["areas", "hubs", "devices", "schedules", "workorders"] as const;

beforeAll(async () => {
  await seedCity();
  await env.DB.batch([
    env.DB.prepare(
      `UPDATE areas SET location = '{"address":"1 Río Street"}', created_at = '2026-01-01T00:00:00.000Z' WHERE id = 'park'`,
    ),
    env.DB.prepare("UPDATE areas SET active = 0 WHERE id = 'field'"),
    env.DB.prepare("UPDATE hubs SET ip_address = '10.0.0.7', connection_mode = 'local' WHERE id = 'park-hub'"),
    env.DB.prepare("UPDATE devices SET last_state_at = '2026-11-20T10:00:00.000Z' WHERE id = 'weir'"),
    env.DB.prepare("INSERT INTO devices (id, org_id, area_id, name) VALUES ('apple', 'city', 'field', 'apple light')"),
    ...[
      ["over", "gate", "Early game", -50, -48, "scheduled"],
      ["next", "gate", "Practice", 2, 4, "scheduled"],
      ["later", "weir", "A late game", 20, 22, "scheduled"],
      ["gone", "apple", "Party", 1, 2, "canceled"],
    ].map(([id, device_id, title, from, to, status]) =>
      env.DB.prepare(
        `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, last_end_at, timezone, status)
         VALUES (?1, 'city', ?2, ?3, ?4, ?5, ?5, 'UTC', ?6)`,
      ).bind(id, device_id, title, at(Number(from)), at(Number(to)), status),
    ),
    env.DB.prepare("UPDATE devices SET problem = 'still off, 3 tries', problem_since = ? WHERE id = 'weir'").bind(
      at(-1),
    ),
    ...[
      ["bulb", "Bulb", "in_progress", "low", null, "park", 1],
      ["fence", "fence", "open", "urgent", "sports", "park", 2],
      ["Wire", "Wire", "open", "high", "rivers", null, 3],
    ].map(([id, title, status, priority, dept_id, area_id, hour]) =>
      env.DB.prepare(
        `INSERT INTO workorders (id, org_id, title, status, priority, dept_id, area_id, created_at)
         VALUES (?, 'city', ?, ?, ?, ?, ?, ?)`,
      ).bind(id, title, status, priority, dept_id, area_id, at(Number(hour))),
    ),
  ]);
});

async function ids(list: (typeof LISTS)[number], query = "", who: Parameters<typeof servicesOf> = ["admin"]) {
  const { rows } = await servicesOf(...who)[list].page(Object.fromEntries(new URLSearchParams(query)));
  return rows.map(({ id }) => id).join(" ");
}

test.each([
  ["areas", "", "park field"],
  ["areas", "sort=newest", "field park"],
  ["areas", "sort=type", "park field"],
  ["areas", "type=field", "field"],
  ["areas", "status=active", "park"],
  ["areas", "status=inactive", "field"],
  ["areas", "q=río+ELM", "park"],
  ["hubs", "", "field-hub park-hub"],
  ["hubs", "sort=area", "park-hub field-hub"],
  ["hubs", "sort=status", "field-hub park-hub"],
  ["hubs", "area=park", "park-hub"],
  ["hubs", "status=unknown", "field-hub"],
  ["hubs", "mode=local", "park-hub"],
  ["hubs", "q=10.0.0", "park-hub"],
  ["devices", "", "apple court gate weir"],
  ["devices", "sort=state", "weir court apple gate"],
  ["devices", "sort=updated", "weir apple court gate"],
  ["devices", "sort=area", "court gate weir apple"],
  ["devices", "area=field", "apple"],
  ["devices", "type=field", "apple"],
  ["devices", "dept=org-wide", "apple gate"],
  ["devices", "dept=rivers", "weir"],
  ["devices", "state=on", "court weir"],
  ["devices", "state=on&dept=sports", "court"],
  ["devices", "show=problems", "weir"],
  ["devices", "show=problems&state=off", ""],
  ["devices", "show=everything", "apple court gate weir"],
  ["devices", "q=park+hub", "gate"],
  ["devices", "q=%25", ""],
  ["schedules", "", "next later over gone"],
  ["schedules", "sort=latest", "later next gone over"],
  ["schedules", "sort=title", "later over gone next"],
  ["schedules", "status=done", "over"],
  ["schedules", "status=scheduled", "next later"],
  ["schedules", "area=field", "gone"],
  ["schedules", "dept=rivers", "later"],
  ["schedules", "q=done+game", "over"],
  ["workorders", "", "Wire fence bulb"],
  ["workorders", "sort=oldest", "bulb fence Wire"],
  ["workorders", "sort=priority", "fence Wire bulb"],
  ["workorders", "sort=title", "bulb fence Wire"],
  ["workorders", "status=open", "Wire fence"],
  ["workorders", "priority=low", "bulb"],
  ["workorders", "dept=sports", "fence"],
  ["workorders", "area=park", "fence bulb"],
  ["workorders", "q=in+progress", "bulb"],
] as const)("%s?%s are: %s", async (list, query, expected) => {
  expect(await ids(list, query)).toBe(expected);
});

test("hubs in trouble come first, by what is to be done about them", async () => {
  const status = (id: string, to: string) =>
    env.DB.prepare("UPDATE hubs SET status = ? WHERE id = ?").bind(to, id).run();
  const before = await env.DB.prepare("SELECT id, status FROM hubs WHERE org_id = 'city'").all<{
    id: string;
    status: string;
  }>();
  const order: string[] = [];
  for (const pair of [
    ["offline", "needs attention"],
    ["needs attention", "unknown"],
    ["unknown", "online"],
  ]) {
    await status("park-hub", pair[0] ?? "");
    await status("field-hub", pair[1] ?? "");
    order.push(await ids("hubs", "sort=status"));
  }
  for (const hub of before.results) await status(hub.id, hub.status);
  expect(order).toEqual(Array.from({ length: 3 }, () => "park-hub field-hub"));
});

test.each(LISTS)("a page of %s has the list's records in full", async (list) => {
  const { rows } = await servicesOf("admin")[list].page({});
  const all: { id: string }[] = await servicesOf("admin")[list].list();
  const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
  // A work order's row also names its area and device.
  expect(rows.toSorted(byId)).toEqual(all.toSorted(byId).map((record) => expect.objectContaining(record)));
});

test("a page neither shows nor counts what the person's departments hide", async () => {
  expect(await ids("devices", "", ["manager"])).toBe("apple court gate");
  expect(await ids("devices", "dept=rivers", ["manager"])).toBe("");
  expect(await ids("schedules", "", ["employee"])).toBe("next over gone");
  expect(await ids("workorders", "", ["admin", { dept: "rivers" }])).toBe("Wire bulb");
  expect(await servicesOf("manager").devices.page({ q: "light" })).toMatchObject({ total: 3, all: 3, hidden: 1 });
  expect(await ids("devices", "area=park", ["stranger"])).toBe("");
  const { areas } = await servicesOf("stranger").devices.page({});
  expect(areas).toEqual([{ id: "pier", name: "Pier" }]);
});

test("a page has the count of matches, the total and the areas to filter by", async () => {
  const { rows: _, ...page } = await servicesOf("admin").devices.page({ state: "on" });
  const areas = [
    { id: "park", name: "Elm Park" },
    { id: "field", name: "North Field" },
  ];
  expect(page).toEqual({ total: 2, all: 4, page: 1, pages: 1, areas, wrong: 1, hidden: 0 });
});

test("the wrong devices are counted among those that are found, as the order by them has them", async () => {
  const wrong = async (query = {}) => (await servicesOf("admin").devices.page(query)).wrong;
  expect(await wrong()).toBe(1);
  expect([await wrong({ area: "park" }), await wrong({ area: "field" })]).toEqual([1, 0]);
  expect([await wrong({ q: "weir" }), await wrong({ q: "gate" })]).toEqual([1, 0]);
});

test("pages sixty records at a time, each once; a page past the end is the last page", async () => {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 130)
     INSERT INTO devices (id, org_id, area_id, name) SELECT 'd' || i, 'harbor', 'pier', 'same name' FROM n`,
  ).run();
  const of = (page: string) => servicesOf("stranger").devices.page({ q: "same", page });
  const pages = await Promise.all([of("1"), of("2"), of("3")]);
  expect(pages.map(({ rows, total, all, page, pages: last }) => [rows.length, total, all, page, last])).toEqual([
    [60, 130, 131, 1, 3],
    [60, 130, 131, 2, 3],
    [10, 130, 131, 3, 3],
  ]);
  expect(new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(130);
  expect(await of("99")).toEqual(pages[2]);
});

test("pages the schedules of a day in the order of the list, and counts them", async () => {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 130)
     INSERT INTO schedules (id, org_id, area_id, title, start_at, end_at, rrule, timezone)
     SELECT 's' || i, 'harbor', 'pier', printf('Match %03d', 131 - i), '2026-11-01T20:00:00.000Z',
       '2026-11-01T21:00:00.000Z', iif(i % 2, 'FREQ=WEEKLY;BYDAY=SU', 'FREQ=DAILY'), 'UTC' FROM n`,
  ).run();
  const of = async (query: Record<string, string>) => {
    const { rows, ...page } = await servicesOf("stranger").schedules.page({ on: "2026-12-01", ...query });
    return { ...page, titles: rows.map(({ title }) => title) };
  };
  const even = Array.from({ length: 65 }, (_, index) => `Match ${String(2 * index + 1).padStart(3, "0")}`);
  const [first, second] = [await of({ sort: "title" }), await of({ sort: "title", page: "2" })];
  expect(first).toMatchObject({ titles: even.slice(0, 60), total: 65, all: 130, page: 1, pages: 2 });
  expect(second).toMatchObject({ titles: even.slice(60), total: 65, all: 130, page: 2, pages: 2 });
  expect(await of({ sort: "title", page: "99" })).toEqual(second);
  expect(await of({ q: "match 003", sort: "title" })).toMatchObject({ titles: ["Match 003"], total: 1, all: 130 });
});

test("a select offers every device of a small city, in a large one those of the area", async () => {
  const small = await servicesOf("manager").devices.choices({ area: "park" });
  expect(small.devices.map(({ id }) => id).join(" ")).toBe("apple court gate");
  expect(small.isNarrowed).toBe(false);
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 501)
     INSERT INTO devices (id, org_id, area_id, name) SELECT 'c' || i, 'harbor', 'pier', 'crowd' FROM n`,
  ).run();
  const large = (chosen: { area?: string; device?: string }) => servicesOf("stranger").devices.choices(chosen);
  const crowd = ({ devices }: { devices: { name: string }[] }) => devices.filter(({ name }) => name === "crowd");
  expect(await large({})).toEqual({ devices: [], isNarrowed: true });
  expect(await large({ area: "park" })).toEqual({ devices: [], isNarrowed: true });
  expect(crowd(await large({ area: "pier" }))).toHaveLength(501);
  expect(crowd(await large({ device: "c1" }))).toHaveLength(501);
  expect((await large({ device: "gate" })).devices).toHaveLength(0);
});

test("a select of a large city reads the devices of its area and no others", async () => {
  await env.DB.batch([
    env.DB.prepare("INSERT INTO areas (id, org_id, name) VALUES ('court-yard', 'harbor', 'Court Yard')"),
    env.DB.prepare("INSERT INTO devices (id, org_id, area_id, name) VALUES ('lamp', 'harbor', 'court-yard', 'lamp')"),
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
       INSERT INTO devices (id, org_id, area_id, name) SELECT 'many' || i, 'harbor', 'pier', 'many' FROM n`,
    ),
  ]);
  for (const [chosen, expected] of [
    [{}, []],
    [{ area: "court-yard" }, ["lamp"]],
    [{ device: "lamp" }, ["lamp"]],
  ] as const) {
    const { db, statements } = recordedDatabase();
    const { devices, isNarrowed } = await servicesOf("stranger", { db }).devices.choices(chosen);
    expect({ devices: devices.map(({ id }) => id), isNarrowed }).toEqual({ devices: expected, isNarrowed: true });
    // Five hundred and one, which tell that there are too many for a select, and a few.
    expect(statements.reduce((sum, { rows_read }) => sum + rows_read, 0)).toBeLessThan(520);
  }
});

test.each(LISTS)("a page of %s takes one round trip, or two if the page no longer exists", async (list) => {
  const query = { q: "a b c d e f g h", area: "park", dept: "sports", type: "park", status: "open", sort: "priority" };
  const first = countedDatabase();
  await servicesOf("admin", { db: first.db })[list].page(query);
  expect(first.trips()).toBe(1);
  const beyond = countedDatabase();
  expect((await servicesOf("admin", { db: beyond.db })[list].page({ page: "9" })).page).toBe(1);
  expect(beyond.trips()).toBe(2);
});
