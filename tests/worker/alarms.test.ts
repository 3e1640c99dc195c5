import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { ago, as, audits, fingerprint, NOW, scopeFor, servicesOf } from "../support/api";
import { seedCity } from "../support/city";

beforeAll(seedCity);

type Row = {
  device_id?: string;
  hub_id?: string;
  dept_id?: string;
  org_id?: string;
  over_at?: string;
  acknowledged_at?: string;
  area_id?: string;
  seq?: number;
  kind?: string;
};

/** An alarm of `minutes` ago, as the engine writes it. */
async function alarm(id: string, minutes: number, { org_id = "city", ...row }: Row = {}): Promise<string> {
  const values = {
    id,
    org_id,
    kind: row.hub_id ? "hub_offline" : "device_failed",
    area_id: "park",
    area_name: "Elm Park",
    what: row.hub_id ? "Away" : "Dark",
    why: row.hub_id ? "the hub does not answer" : "still off after 3 tries",
    device_name: row.device_id ? `${row.device_id} light` : null,
    hub_name: row.hub_id ?? null,
    opened_at: ago(minutes),
    seq: 1,
    ...row,
  };
  const keys = Object.keys(values);
  await env.DB.prepare(`INSERT INTO alarms (${keys}) VALUES (${keys.map(() => "?")})`)
    .bind(...Object.values(values))
    .run();
  return id;
}

const idsOf = async (name: Parameters<typeof as>[0], query = "") =>
  (await as(name).get(`/alarms${query}`)).json.data.map(({ id }: { id: string }) => id);

beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare("DELETE FROM alarms"),
    env.DB.prepare("DELETE FROM workorders"),
    env.DB.prepare("UPDATE devices SET problem = NULL, hub_id = NULL"),
    env.DB.prepare("UPDATE hubs SET status = 'online', last_seen = NULL"),
    env.DB.prepare("INSERT OR IGNORE INTO settings (org_id, key, value) VALUES ('city', 'APP_TIMEZONE', '\"UTC\"')"),
  ]);
});

test("open alarms are listed latest first, each in a sentence, with how many there are of each state", async () => {
  await alarm("a", 180, { device_id: "gate" });
  await alarm("b", 60, { hub_id: "park-hub" });
  await alarm("c", 90, { device_id: "gate", acknowledged_at: ago(30) });
  await alarm("d", 300, { device_id: "gate", over_at: ago(120) });
  const { json } = await as("employee").get("/alarms");
  expect(json.counts).toEqual({ open: 2, acknowledged: 1, over: 1 });
  expect(json).toMatchObject({ total: 2, page: 1, pages: 1 });
  expect(json.data.map(({ message }: { message: string }) => message)).toEqual([
    "Away since 7:00 PM: the hub does not answer",
    "Dark since 5:00 PM: still off after 3 tries",
  ]);
  expect(json.data[1]).toMatchObject({ id: "a", state: "open", device_id: "gate", area_name: "Elm Park", version: 1 });
  expect(await idsOf("employee", "?state=acknowledged")).toEqual(["c"]);
  const [over] = (await as("employee").get("/alarms?state=over")).json.data;
  expect(over.message).toBe("Dark from 3:00 PM until 6:00 PM: still off after 3 tries");
});

test("an open alarm of a light says since when the light is so, as its other screens do, and not since when it was told", async () => {
  await alarm("gate", 60, { device_id: "gate" });
  await alarm("mast", 60, { device_id: "mast" });
  await alarm("lawn", 60, { device_id: "lawn" });
  await alarm("before", 200, { device_id: "gate", over_at: ago(190) });
  const problemOf = (id: string, problem: string | null, since: string | null) =>
    env.DB.prepare("UPDATE devices SET problem = ?, problem_since = ? WHERE id = ?").bind(problem, since, id);
  await env.DB.batch([
    problemOf("gate", "still off, 3 tries", ago(62)),
    problemOf("mast", "still off, 3 tries", ago(50)),
    problemOf("lawn", null, ago(300)),
  ]);
  const told = async (query = "") =>
    Object.fromEntries(
      (await as("manager").get(`/alarms${query}`)).json.data.map(({ id, message }: { id: string; message: string }) => [
        id,
        message,
      ]),
    );
  expect(await told()).toEqual({
    gate: "Dark since 6:58 PM: still off after 3 tries",
    mast: "Dark since 7:00 PM: still off after 3 tries",
    lawn: "Dark since 7:00 PM: still off after 3 tries",
  });
  expect(await told("?state=over")).toEqual({ before: "Dark from 4:40 PM until 4:50 PM: still off after 3 tries" });
  const { data: order } = (await as("manager").post("/alarms/gate/workorder", {})).json;
  expect(order.description).toContain("6:58 PM");
});

test.each([
  ["?state=closed", "State must be one of: open, acknowledged, over"],
  ["?page=0", "Page must be a whole number from 1"],
  ["?page=x", "Page must be a whole number from 1"],
  ["?area_id=", "Area must be an id"],
])("refuses %s", async (query, detail) => {
  const { status, json } = await as("employee").get(`/alarms${query}`);
  expect([status, json.detail]).toEqual([422, detail]);
});

test("an alarm that is over is told as over, whether or not somebody had acknowledged it", async () => {
  await alarm("a", 180, { device_id: "gate", over_at: ago(60) });
  await alarm("b", 180, { device_id: "gate", over_at: ago(90), acknowledged_at: ago(100) });
  const { json } = await as("employee").get("/alarms?state=over");
  expect(json.data.map(({ id, state }: { id: string; state: string }) => [id, state])).toEqual([
    ["a", "over"],
    ["b", "over"],
  ]);
});

test("only an area's alarms, where they are asked for", async () => {
  await alarm("a", 1, { device_id: "gate" });
  expect(await idsOf("employee", "?area_id=park")).toEqual(["a"]);
  expect(await idsOf("employee", "?area_id=field")).toEqual([]);
  const countsOf = async (area_id: string) => (await as("employee").get(`/alarms?area_id=${area_id}`)).json.counts;
  expect([(await countsOf("park")).open, (await countsOf("field")).open]).toEqual([1, 0]);
});

/** The park's hub gave its last answer so many minutes ago, and all lights are behind it. */
async function silence(minutes: number) {
  await env.DB.batch([
    env.DB.prepare("UPDATE hubs SET status = 'offline', last_seen = ? WHERE id = 'park-hub'").bind(ago(minutes)),
    env.DB.prepare("UPDATE devices SET hub_id = 'park-hub', problem = 'its hub is away since 6:40 PM, 3 tries'"),
  ]);
}
async function pageOf(name: Parameters<typeof servicesOf>[0], query: Record<string, string> = {}) {
  const { rows, total, counts, silent_hubs } = await servicesOf(name).alarms.page(query);
  return { ids: rows.map(({ id }) => id), total, counts, silent_hubs };
}

test("what a silent hub explains is told of the hub on the screen, and the light that failed before by itself", async () => {
  await silence(80);
  await alarm("before", 100, { device_id: "court" });
  await alarm("hub", 78, { hub_id: "park-hub" });
  await alarm("by a hand", 70, { device_id: "gate", kind: "light_on" });
  await alarm("a", 60, { device_id: "gate" });
  await alarm("b", 60, { device_id: "weir" });
  const counts = { open: 5, acknowledged: 0, over: 0 };
  const hub = { id: "park-hub", name: "Park hub", message: "Away for 1 h", alarms: 2 };
  const told = { ids: ["by a hand", "hub", "before"], total: 3, counts, silent_hubs: [hub] };
  expect(await pageOf("admin")).toEqual(told);
  expect(await pageOf("admin", { area: "park" })).toEqual(told);
  expect(await pageOf("admin", { area: "field" })).toMatchObject({ ids: [], silent_hubs: [] });
  expect(await pageOf("manager")).toMatchObject({ total: 3, silent_hubs: [{ alarms: 1 }] });
  expect(await pageOf("admin", { hub: "park-hub" })).toMatchObject({ ids: ["b", "a"], total: 2, counts });
  expect(await pageOf("admin", { hub: "field-hub" })).toMatchObject({ ids: [], total: 0 });
  // The API's list is each alarm, as ever.
  expect(await idsOf("admin")).toEqual(["b", "a", "by a hand", "hub", "before"]);
  expect(Object.keys((await as("admin").get("/alarms")).json)).not.toContain("silent_hubs");
});

test("of several silent hubs the one that explains most alarms comes first", async () => {
  await silence(80);
  await env.DB.batch([
    env.DB.prepare("UPDATE hubs SET status = 'offline', last_seen = ? WHERE id = 'field-hub'").bind(ago(90)),
    env.DB.prepare("UPDATE devices SET hub_id = 'field-hub' WHERE id = 'gate'"),
  ]);
  for (const device_id of ["gate", "court", "weir"]) await alarm(device_id, 60, { device_id });
  const order = async () => (await pageOf("admin")).silent_hubs.map(({ id, alarms }) => [id, alarms]);
  expect(await order()).toEqual([
    ["park-hub", 2],
    ["field-hub", 1],
  ]);
  await env.DB.prepare("UPDATE devices SET hub_id = 'field-hub' WHERE id = 'court'").run();
  expect(await order()).toEqual([
    ["field-hub", 2],
    ["park-hub", 1],
  ]);
});

test("alarms of lights behind a silent hub stand by themselves in each state, until it is back, and once they are over", async () => {
  await silence(80);
  await alarm("seen", 78, { hub_id: "park-hub", acknowledged_at: ago(70) });
  await alarm("a", 60, { device_id: "gate" });
  await alarm("b", 50, { device_id: "court", acknowledged_at: ago(40) });
  await alarm("c", 60, { device_id: "weir", over_at: ago(30) });
  const hub = { name: "Park hub", alarms: 1 };
  expect(await pageOf("admin")).toMatchObject({ ids: [], total: 0, silent_hubs: [hub] });
  expect(await pageOf("admin", { tab: "acknowledged" })).toMatchObject({ ids: ["seen"], silent_hubs: [hub] });
  expect(await pageOf("admin", { tab: "over" })).toMatchObject({ ids: ["c"], total: 1, silent_hubs: [] });
  // Moved to a hub that answers, it fails by itself; and so do all once theirs answers.
  await env.DB.prepare("UPDATE devices SET hub_id = 'field-hub' WHERE id = 'gate'").run();
  expect(await pageOf("admin")).toMatchObject({ ids: ["a"], total: 1, silent_hubs: [] });
  await env.DB.prepare("UPDATE hubs SET status = 'online' WHERE id = 'park-hub'").run();
  expect(await pageOf("admin", { tab: "acknowledged" })).toMatchObject({ ids: ["b", "seen"], silent_hubs: [] });
});

test("how many alarms nobody has seen to leaves out those that somebody has, and that are over", async () => {
  await alarm("a", 180, { device_id: "gate" });
  await alarm("b", 90, { device_id: "gate", acknowledged_at: ago(30) });
  await alarm("c", 300, { device_id: "gate", over_at: ago(120) });
  expect(await servicesOf("employee").alarms.openCount()).toBe(1);
});

test("an open alarm is nobody's once its light is of a department that its person does not see", async () => {
  const light = (await as("admin").post("/devices", { name: "Lent light", area_id: "park" })).json.data;
  for (const [id, assigned_to, more] of [
    ["theirs", "employee", {}],
    ["seen", "admin", {}],
    ["ended", "employee", { over_at: ago(5) }],
  ] as const) {
    await alarm(id, 60, { device_id: light.id, ...more });
    await env.DB.prepare("UPDATE alarms SET assigned_to = ? WHERE id = ?").bind(assigned_to, id).run();
  }
  await alarm("elsewhere", 60, { device_id: "weir" });
  await env.DB.prepare("UPDATE alarms SET assigned_to = 'employee' WHERE id = 'elsewhere'").run();
  const move = (dept_id: string | null) => as("admin").put(`/devices/${light.id}`, { ...light, dept_id });
  const assignees = async () => {
    const { results } = await env.DB.prepare("SELECT id, assigned_to FROM alarms ORDER BY id").all();
    return Object.fromEntries(results.map(({ id, assigned_to }) => [id, assigned_to]));
  };
  const kept = { elsewhere: "employee", ended: "employee", seen: "admin" };
  await move("sports");
  expect(await assignees()).toEqual({ ...kept, theirs: "employee" });
  await move("rivers");
  expect(await assignees()).toEqual({ ...kept, theirs: null });
  expect(JSON.parse((await audits()).at(-1)?.details ?? "")).toMatchObject({ before: { open_alarms: ["theirs"] } });
});

test("screens hear that an alarm is nobody's any more, be its light lent out or its person out of the department", async () => {
  const told: string[] = [];
  const noteLists = (_: string, lists: string[]) => void told.push(...lists);
  const admin = as("admin", { scheduler: { ...scopeFor("admin", {}).scheduler, noteLists } });
  const light = (await admin.post("/devices", { name: "Lent light", area_id: "park" })).json.data;
  const given = async (dept_id: string | null) => {
    await env.DB.prepare("DELETE FROM alarms").run();
    await alarm("a", 10, { device_id: light.id, ...(dept_id && { dept_id }) });
    await env.DB.prepare("UPDATE alarms SET assigned_to = 'employee'").run();
    told.length = 0;
  };
  await given(null);
  await admin.put(`/devices/${light.id}`, { ...light, dept_id: "rivers" });
  expect(told).toContain("alarms");
  await admin.put(`/devices/${light.id}`, { ...light, dept_id: "sports" });
  await given("sports");
  await admin.remove("/departments/sports/members/employee");
  await admin.post("/departments/sports/members", { user_id: "employee", role: "dept_staff" });
  expect(told).toContain("alarms");
});

test("who is an admin of another organization alone loses an alarm that they do not see any more", async () => {
  const person = env.DB.prepare(
    "INSERT INTO org_memberships (user_id, org_id, role) VALUES ('stranger', 'city', 'employee')",
  );
  const light = (await as("admin").post("/devices", { name: "Lent light", area_id: "park" })).json.data;
  await person.run();
  await alarm("a", 60, { device_id: light.id });
  await as("admin").put("/alarms/a/assign", { assigned_to: "stranger" });
  await as("admin").put(`/devices/${light.id}`, { ...light, dept_id: "rivers" });
  const { json } = await as("admin").get("/alarms");
  await env.DB.prepare("DELETE FROM org_memberships WHERE user_id = 'stranger' AND org_id = 'city'").run();
  expect(json.data).toMatchObject([{ id: "a", assigned_to: null, version: 3 }]);
});

test("an alarm of a hidden department's light does not exist, and a light that moves takes its alarms along", async () => {
  await alarm("ours", 3, { device_id: "court" });
  await alarm("theirs", 2, { device_id: "weir" });
  await alarm("harbors", 1, { device_id: "buoy", org_id: "harbor" });
  expect(await idsOf("employee")).toEqual(["ours"]);
  expect(await idsOf("admin")).toEqual(["theirs", "ours"]);
  expect((await as("employee").get("/alarms")).json.counts.open).toBe(1);
  expect(await servicesOf("employee").alarms.openCount()).toBe(1);
  expect(await servicesOf("admin").alarms.openCount()).toBe(2);
  expect(await servicesOf("admin", { dept: "sports" }).alarms.openCount()).toBe(1);

  const before = await fingerprint();
  for (const id of ["theirs", "harbors", "nowhere"]) {
    for (const refused of [
      await as("employee").put(`/alarms/${id}/acknowledge`),
      await as("employee").put(`/alarms/${id}/assign`, { assigned_to: null }),
      await as("employee").post(`/alarms/${id}/workorder`),
    ]) {
      expect([refused.status, refused.json]).toEqual([404, { detail: "Alarm not found" }]);
    }
  }
  for (const refused of [
    await as("auditor").put("/alarms/ours/acknowledge"),
    await as("auditor").put("/alarms/ours/assign", { assigned_to: null }),
    await as("auditor").post("/alarms/ours/workorder"),
  ]) {
    expect(refused.status).toBe(403);
  }
  expect(await fingerprint()).toEqual(before);

  await env.DB.prepare("UPDATE devices SET dept_id = 'rivers' WHERE id = 'court'").run();
  expect(await idsOf("employee")).toEqual([]);
  await env.DB.prepare("UPDATE devices SET dept_id = 'sports' WHERE id = 'court'").run();
});

test("all open alarms are acknowledged at once, as far as the list had them and the person may write", async () => {
  await alarm("gate", 9, { device_id: "gate", seq: 7 });
  await alarm("hub", 8, { hub_id: "park-hub", seq: 8 });
  await alarm("court", 7, { device_id: "court", seq: 9 });
  await alarm("weir", 6, { device_id: "weir", seq: 5 });
  await alarm("harbors", 5, { device_id: "buoy", org_id: "harbor", seq: 5 });
  await alarm("elsewhere", 4, { area_id: "field", seq: 6 });
  await alarm("over", 60, { device_id: "gate", seq: 4, over_at: ago(5) });
  const seenBy = async () => {
    const { results } = await env.DB.prepare("SELECT id, acknowledged_by, version FROM alarms ORDER BY id").all();
    return Object.fromEntries(
      results.flatMap(({ id, acknowledged_by: by, version }) => (by ? [[id, `${by} ${version}`]] : [])),
    );
  };
  const read = (await as("employee").get("/alarms")).json;
  expect(read.told_until).toBe(9);
  // Nobody has seen what came after the list, nor that an alarm of the list says something else by now.
  await alarm("later", 1, { device_id: "gate", seq: 10 });
  await env.DB.prepare("UPDATE alarms SET why = 'still off after 9 tries', seq = 11 WHERE id = 'gate'").run();

  const entries = (await audits()).length;
  const ofPark = await as("employee").put("/alarms/acknowledge", { told_until: read.told_until, area_id: "park" });
  expect(ofPark).toEqual({ status: 200, json: { acknowledged: 2 } });
  expect(await seenBy()).toEqual({ court: "employee@parks.example 2", hub: "employee@parks.example 2" });
  const made = (await audits()).slice(entries);
  expect(made).toMatchObject([{ action: "acknowledge_all", resource_type: "alarm" }]);
  expect(JSON.parse(made[0]?.details ?? "")).toEqual({ after: { alarms: 2, area_id: "park", told_until: 9 } });

  // Once more changes nothing; an auditor's department is theirs to read only.
  expect((await as("employee").put("/alarms/acknowledge", { told_until: 9, area_id: "park" })).json).toEqual({
    acknowledged: 0,
  });
  await env.DB.prepare("UPDATE alarms SET acknowledged_at = NULL, acknowledged_by = NULL WHERE id = 'court'").run();
  expect((await as("auditor").put("/alarms/acknowledge", { told_until: 99 })).json).toEqual({ acknowledged: 3 });
  expect(Object.keys(await seenBy())).toEqual(["elsewhere", "gate", "hub", "later"]);
  expect((await as("admin").put("/alarms/acknowledge", { told_until: 99 })).json).toEqual({ acknowledged: 2 });
  expect(Object.keys(await seenBy())).toEqual(["court", "elsewhere", "gate", "hub", "later", "weir"]);
});

test("whoever acknowledges first stays, and a second press changes nothing", async () => {
  await alarm("a", 10, { device_id: "court" });
  const first = await as("employee").put("/alarms/a/acknowledge", undefined, 1);
  expect(first.json.data).toMatchObject({
    state: "acknowledged",
    acknowledged_at: NOW.toISOString(),
    acknowledged_by: "employee@parks.example",
    version: 2,
  });
  const before = await fingerprint();
  expect((await as("manager").put("/alarms/a/acknowledge", undefined, 1)).json.data).toEqual(first.json.data);
  expect(await fingerprint()).toEqual(before);
  const entry = (await audits()).at(-1);
  expect(entry).toMatchObject({ action: "acknowledge", resource_type: "alarm" });
  expect(JSON.parse(entry?.details ?? "")).toMatchObject({
    before: { what: "Dark", acknowledged_by: null },
    after: { acknowledged_by: "employee@parks.example", version: 2 },
  });
});

test("two who acknowledge at once both succeed, with one entry in the log", async () => {
  await alarm("a", 10, { device_id: "court" });
  const entries = (await audits()).length;
  const both = await Promise.all([
    as("employee").put("/alarms/a/acknowledge"),
    as("manager").put("/alarms/a/acknowledge"),
  ]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(both[0].json.data.acknowledged_by).toBe(both[1].json.data.acknowledged_by);
  expect((await audits()).length).toBe(entries + 1);
});

test("a work order is made of an alarm whose light and department are gone", async () => {
  await alarm("a", 10, { device_id: "gone", dept_id: "gone" });
  const made = await as("admin").post("/alarms/a/workorder");
  expect(made).toMatchObject({ status: 201, json: { data: { device_id: null, dept_id: null, area_id: "park" } } });
});

test("an alarm is assigned to a person of the organization, or to nobody", async () => {
  await alarm("a", 10, { device_id: "court" });
  const assign = (assigned_to: unknown, if_match?: number) =>
    as("employee").put("/alarms/a/assign", { assigned_to }, if_match);
  expect((await assign("manager")).json.data).toMatchObject({
    assigned_to: "manager",
    assigned_email: "manager@parks.example",
    version: 2,
  });
  expect((await assign("employee", 1)).json.detail).toBe(
    "This alarm was changed by someone else meanwhile. Reload and try again.",
  );
  for (const [who, detail] of [
    ["stranger", "Assignee not found"],
    ["nobody", "Assignee not found"],
    [7, "Assignee must be text"],
    [undefined, "Assignee is required: a person, or null for nobody"],
  ]) {
    const refused = await assign(who);
    expect([refused.status, refused.json.detail]).toEqual([422, detail]);
  }
  expect((await assign(null, 2)).json.data).toMatchObject({ assigned_to: null, assigned_email: null });
});

test("one press makes a work order with everything filled in, and a second press answers the same one", async () => {
  await alarm("a", 180, { device_id: "court" });
  const { status, json } = await as("employee").post("/alarms/a/workorder");
  expect(status).toBe(201);
  expect(json.data).toMatchObject({
    title: "Repair court light",
    description: "court light: Dark since Nov 20, 5:00 PM: still off after 3 tries.\nElm Park.",
    status: "open",
    priority: "high",
    dept_id: "sports",
    device_id: "court",
    area_id: "park",
    created_by: "employee",
    alarm_id: "a",
    alarm_over_at: null,
  });
  const before = await fingerprint();
  expect((await as("manager").post("/alarms/a/workorder")).json.data).toEqual(json.data);
  expect(await fingerprint()).toEqual(before);
  expect((await as("employee").get("/alarms")).json.data[0].workorder_id).toBe(json.data.id);
});

test("two requests at once make one work order", async () => {
  await alarm("a", 10, { device_id: "court" });
  const both = await Promise.all([
    as("employee").post("/alarms/a/workorder"),
    as("manager").post("/alarms/a/workorder"),
  ]);
  expect(both.map(({ json }) => json.data.id)).toEqual([both[0].json.data.id, both[0].json.data.id]);
});

test("a work order that was moved to a hidden department is not shown by a second press", async () => {
  await alarm("a", 10, { device_id: "court" });
  const { json } = await as("employee").post("/alarms/a/workorder");
  await as("admin").put(`/workorders/${json.data.id}`, { title: "Theirs", dept_id: "rivers" });
  expect((await as("employee").get("/alarms")).json.data[0].workorder_id).toBeNull();
  const second = await as("employee").post("/alarms/a/workorder");
  expect(second.status).toBe(409);
});

test("a light that is gone still makes a work order, at its area", async () => {
  await alarm("a", 10, { device_id: "was-here" });
  const { json } = await as("admin").post("/alarms/a/workorder");
  expect(json.data).toMatchObject({ device_id: null, area_id: "park" });
});

test("a work order is told once that its alarm is over", async () => {
  await alarm("another", 20, { device_id: "gate", over_at: ago(15) });
  await alarm("a", 10, { device_id: "court" });
  const { json } = await as("employee").post("/alarms/a/workorder");
  for (const over_at of [ago(2), ago(1)]) {
    await env.DB.prepare("UPDATE alarms SET over_at = ? WHERE id = 'a'").bind(over_at).run();
  }
  const [workorder] = (await as("employee").get("/workorders")).json.data;
  expect(workorder.alarm_over_at).toBe(ago(1));
  const told = (await audits()).filter(({ action }) => action === "alarm_over");
  expect(told).toHaveLength(1);
  expect(JSON.parse(told[0]?.details ?? "")).toEqual({
    after: { title: json.data.title, alarm_id: "a", alarm_over_at: ago(2) },
  });
});

test("the pages of a light and of its area have the alarms that are not over", async () => {
  await alarm("a", 10, { device_id: "court" });
  await alarm("b", 10, { device_id: "court", over_at: ago(1) });
  await alarm("c", 10, { device_id: "weir" });
  await alarm("d", 20, { device_id: "gate" });
  await alarm("e", 5, { hub_id: "field-hub", area_id: "field" });
  const ids = async (path: string) =>
    (await as("employee").get(path)).json.data.alarms.map(({ id }: { id: string }) => id);
  expect(await ids("/devices/court")).toEqual(["a"]);
  expect(await ids("/areas/park")).toEqual(["a", "d"]);
});

test("a message names its alarm", async () => {
  await alarm("city:device:court:5", 10, { device_id: "court" });
  await alarm("harbor:device:court:4", 10, { org_id: "harbor" }); // named alike, of another organization
  await env.DB.prepare(
    `INSERT INTO notifications (id, org_id, incident, kind, message, recipients, status) VALUES
     ('m', 'city', 'device:court:5', 'device_failed', 'Alarm: dark', '[]', 'not_sent'),
     ('n', 'city', 'device:court:4', 'device_failed', 'dark', '[]', 'not_sent')`,
  ).run();
  const { data } = (await as("manager").get("/admin/notifications")).json;
  expect(data.map(({ id, alarm_id }: { id: string; alarm_id: string }) => [id, alarm_id]).toSorted()).toEqual([
    ["m", "city:device:court:5"],
    ["n", null],
  ]);
});

test("messages are shown as their alarms are: not those of hidden departments, nor other people's digests", async () => {
  await alarm("city:device:court:6", 10, { device_id: "court" });
  await alarm("city:device:weir:6", 10, { device_id: "weir" });
  await alarm("city:device:gone:6", 10, { device_id: "gone", dept_id: "rivers" });
  await alarm("city:hub:park-hub:6", 10, { hub_id: "park-hub" });
  await env.DB.prepare(
    `INSERT INTO notifications (id, org_id, incident, kind, message, recipients, status) VALUES
     ('court', 'city', 'device:court:6', 'device_failed', 'dark', '[]', 'sent'),
     ('weir', 'city', 'device:weir:6', 'device_failed', 'dark', '[]', 'sent'),
     ('weir-2', 'city', 'device:weir:6', 'escalation_1', 'dark', '[]', 'sent'),
     ('gone', 'city', 'device:gone:6', 'device_failed', 'dark', '[]', 'sent'),
     ('hub', 'city', 'hub:park-hub:6', 'hub_offline', 'away', '[]', 'sent'),
     ('own', 'city', 'digest:manager:6', 'digest', 'two', '[]', 'sent'),
     ('other', 'city', 'digest:admin:6', 'digest', 'three', '[]', 'sent')`,
  ).run();
  const shown = async (name: Parameters<typeof as>[0]) =>
    (await as(name).get("/admin/notifications")).json.data
      .filter(({ incident }: { incident: string }) => incident.endsWith(":6"))
      .map(({ id }: { id: string }) => id)
      .toSorted();
  expect(await shown("manager")).toEqual(["court", "hub", "own"]);
  expect(await shown("admin")).toEqual(["court", "gone", "hub", "other", "own", "weir", "weir-2"]);
});
