import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { database } from "#db/database";
import { imports } from "#db/imports";
import { prune } from "#db/retention";
import { as, asked, audits, fingerprint, scopeFor, servicesOf } from "#tests/support/api";
import { seedCity } from "#tests/support/city";
import { makeServices } from "#worker/wiring";

const rows = (statement: string) =>
  env.DB.prepare(statement)
    .all()
    .then(({ results }) => results);
const run = (statement: string) => env.DB.prepare(statement).run();
const version = async () => (await rows("SELECT config_version AS v FROM organizations WHERE id = 'city'"))[0]?.["v"];
/** The time as the database and the imports in it have it. */
const now = () => new Date();
const manager = () => as("manager", { now });

const check = async (csv: string, who = manager()) =>
  (await who.post("/imports", { csv, file_name: "city.csv" })).json.data;
const apply = async (id: string, who = manager()) => (await who.post(`/imports/${id}/apply`)).json.data;

beforeAll(seedCity);
beforeEach(() => {
  asked.length = 0;
});

test("a file is checked first, and changes nothing until it is applied", async () => {
  const before = await version();
  const job = await check("Kind,Name,Type\narea,Mill Park,river\narea,Elm Park,park\narea,North Field,river\n");
  expect(job).toMatchObject({
    file_name: "city.csv",
    state: "ready",
    reason: null,
    rows: 3,
    done: 3,
    counts: { area: { create: 1, update: 1, same: 1 } },
    problems: [],
    changes: [
      { row: 2, kind: "area", action: "create", name: "Mill Park", fields: [] },
      { row: 4, kind: "area", action: "update", name: "North Field", fields: ["Type"] },
    ],
  });
  expect(await version()).toBe(before);
  expect(await rows("SELECT name FROM areas WHERE name = 'Mill Park'")).toEqual([]);
  expect(asked).toEqual([]);

  expect(await apply(job.id)).toMatchObject({ state: "done", done: 3, changes: [] });
  expect(
    await rows(
      "SELECT name, type, active, version FROM areas WHERE name IN ('Mill Park', 'North Field') ORDER BY name",
    ),
  ).toEqual([
    { name: "Mill Park", type: "river", active: 1, version: 1 },
    { name: "North Field", type: "river", active: 1, version: 2 },
  ]);
  expect(await rows("SELECT * FROM import_rows")).toEqual([]);
});

test("the engine is told once, and each record has an audit entry as its form would have left it", async () => {
  const csv =
    "Kind,Name,Area,Hub,Cloud ID,Notes\narea,Quay,,,,\nhub,Quay hub,Quay,,,\ndevice,Quay light,Quay,Quay hub,d88b11,\ndevice,Gate light,Elm Park,Park hub,,mended\n";
  const before = (await audits()).length;
  const job = await check(csv);
  await apply(job.id);
  expect(asked).toEqual([{ verb: "sync", org_id: "city" }]);
  const entries = (await audits()).slice(before).map((entry) => ({ ...entry, details: JSON.parse(entry.details) }));
  expect(entries.map(({ action, resource_type }) => `${action} ${resource_type}`)).toEqual([
    "create import",
    "create area",
    "create hub",
    "create device",
    "update device",
    "apply import",
  ]);
  expect(entries[3]?.details.after).toMatchObject({ name: "Quay light", cloud_device_id: "d88b11" });
  expect(entries[4]?.details).toMatchObject({
    before: { id: "gate", notes: null, version: 1 },
    after: { id: "gate", notes: "mended", version: 2 },
  });
  expect(entries[5]?.details.after).toMatchObject({ rows: 4, counts: { device: { create: 1, update: 1, same: 0 } } });
  const [device] = await rows(
    "SELECT d.area_id, h.name AS hub FROM devices d JOIN hubs h ON h.id = d.hub_id WHERE d.cloud_device_id = 'd88b11'",
  );
  expect(device).toMatchObject({ hub: "Quay hub" });
  const changes = await rows("SELECT kind FROM changes ORDER BY version DESC LIMIT 4");
  expect(changes.map(({ kind }) => kind)).toEqual(["device", "device", "hub", "area"]);
});

test("the same file imported again changes nothing", async () => {
  const csv =
    "Kind,Name,Area,Cloud ID\narea,Twice,,\nhub,Twice hub,Twice,\ndevice,Twice light,Twice,d88b22\ndevice,No ID,Twice,\n";
  await apply((await check(csv)).id);
  const before = await version();
  const again = await check(csv);
  expect(again).toMatchObject({ state: "ready", counts: { area: { same: 1 }, hub: { same: 1 }, device: { same: 2 } } });
  await apply(again.id);
  expect(await version()).toBe(before);
});

test("an alarm is nobody's once a file takes its light to a department that its person does not see", async () => {
  await run(`INSERT INTO devices (id, org_id, area_id, name) VALUES ('lent', 'city', 'park', 'Lent light')`);
  await run(
    `INSERT INTO alarms (id, org_id, kind, what, why, opened_at, seq, device_id, assigned_to) VALUES
      ('unseen', 'city', 'device_failed', 'Dark', 'no answer', '2026-01-01T00:00:00.000Z', 1, 'lent', 'employee'),
      ('seen', 'city', 'device_failed', 'Dark', 'no answer', '2026-01-01T00:00:00.000Z', 1, 'lent', 'admin'),
      ('named', 'city', 'device_failed', 'Dark', 'no answer', '2026-01-01T00:00:00.000Z', 1, 'weir', 'employee')`,
  );
  const told: string[] = [];
  const scheduler = {
    ...scopeFor("admin", {}).scheduler,
    noteLists: (_: string, lists: string[]) => void told.push(...lists),
  };
  const admin = as("admin", { now, scheduler });
  const csv =
    "Kind,Name,Area,Department,Notes\ndevice,Lent light,Elm Park,Rivers,\ndevice,Weir light,Elm Park,Rivers,lent out\n";
  await apply((await check(csv, admin)).id, admin);
  expect(told).toContain("alarms");
  const [entry] = await rows("SELECT details FROM audit_logs WHERE resource_id = 'lent'");
  expect(JSON.parse(String(entry?.["details"]))).toMatchObject({
    before: { dept_id: null, open_alarms: ["unseen"] },
    after: { dept_id: "rivers", version: 2 },
  });
  const [renamed] = await rows("SELECT details FROM audit_logs WHERE resource_id = 'weir'");
  expect(JSON.parse(String(renamed?.["details"])).before).not.toHaveProperty("open_alarms");
  const left = await rows("SELECT id, assigned_to FROM alarms ORDER BY id");
  await run("DELETE FROM alarms");
  await run("DELETE FROM devices WHERE id = 'lent'");
  expect(left).toEqual([
    { id: "named", assigned_to: "employee" },
    { id: "seen", assigned_to: "admin" },
    { id: "unseen", assigned_to: null },
  ]);
});

test("what the inventory exports changes nothing when it is imported, and has no secret in it", async () => {
  await run("UPDATE hubs SET local_client_id = 'v1.secret', local_client_secret = 'v1.secret' WHERE id = 'park-hub'");
  const csv = await servicesOf("manager").imports.inventory();
  expect(csv).toContain('"device","Court light","Elm Park","","Sports"');
  expect(csv).not.toMatch(/secret|Weir light|Buoy|Pier/);
  expect(await check(csv)).toMatchObject({ state: "ready", changes: [], problem_count: 0 });
});

test("with one bad row nothing is imported, and each bad row has its sentence", async () => {
  const job = await check("Kind,Name,Area\narea,Good,\nhub,Bad,Nowhere\nlamp,Bad,Good\n");
  expect(job).toMatchObject({
    state: "failed",
    reason: "2 rows have a problem, so nothing was imported. Mend the file and choose it again.",
    problem_count: 2,
    changes: [],
  });
  expect(job.problems.map(({ row, column }: { row: number; column: string }) => [row, column])).toEqual([
    [3, "Area"],
    [4, "Kind"],
  ]);
  const { status, json } = await manager().post(`/imports/${job.id}/apply`);
  expect([status, json.detail]).toEqual([409, job.reason]);
});

test("a file of another kind is refused with a sentence, in a call and from a browser", async () => {
  const { status, json } = await manager().post("/imports", { csv: "<html>" });
  expect([status, json.errors]).toEqual([422, { csv: "This is a web page, not a CSV file." }]);
  const upload = servicesOf("manager").imports.upload({ name: "city.xlsx", bytes: new Uint8Array([0x50, 0x4b, 3, 4]) });
  await expect(upload).rejects.toMatchObject({ code: "invalid", fields: { csv: expect.stringContaining("workbook") } });
});

describe("all or nothing: what was changed since the check fails the import, and changes nothing", () => {
  const CSV =
    "Kind,Name,Area,Notes\narea,Race,,\nhub,Race hub,Race,\ndevice,Race light,Race,\ndevice,Gate light,Elm Park,raced\n";
  test.each([
    ["a record was edited", "UPDATE devices SET notes = 'by hand', version = version + 1 WHERE id = 'gate'"],
    ["a record was deleted", "DELETE FROM devices WHERE id = 'gate'"],
    ["an area of that name was made", "INSERT INTO areas (id, org_id, name) VALUES ('race', 'city', 'Race')"],
  ])("%s", async (_name, meanwhile) => {
    await run(
      "INSERT OR IGNORE INTO devices (id, org_id, area_id, hub_id, name) VALUES ('gate', 'city', 'park', 'park-hub', 'Gate light')",
    );
    const job = await check(CSV);
    expect(job.state).toBe("ready");
    await run(meanwhile);
    const before = { ...(await fingerprint()), imports: [] };
    expect(await apply(job.id)).toMatchObject({
      state: "failed",
      reason: expect.stringContaining("changed by someone else meanwhile. Nothing was imported."),
    });
    // But for what it was about to change, which is forgotten.
    expect({ ...(await fingerprint()), imports: [] }).toEqual({ ...before, import_rows: [] });
    await run("DELETE FROM areas WHERE id = 'race'");
  });

  test("a light's hub has left the area", async () => {
    await run("INSERT INTO hubs (id, org_id, area_id, name) VALUES ('mover', 'city', 'park', 'Mover')");
    const job = await check("Kind,Name,Area,Hub\ndevice,Moved light,Elm Park,Mover");
    await run("UPDATE hubs SET area_id = 'field' WHERE id = 'mover'");
    expect(await apply(job.id)).toMatchObject({ state: "failed" });
    expect(await rows("SELECT * FROM devices WHERE name = 'Moved light'")).toEqual([]);
  });
});

describe("of two imports that were checked side by side the second one fails", () => {
  beforeAll(() =>
    run(
      `INSERT INTO devices (id, org_id, area_id, name) VALUES ('a1','city','park','A one'), ('a2','city','park','A two'),
         ('b1','city','park','B one')`,
    ),
  );
  const light = (name: string, cloud_id: string) => `Kind,Name,Area,Cloud ID\ndevice,${name},Elm Park,${cloud_id}`;
  test.each([
    ["two lights that are here get one Cloud ID", light("A one", "d88b1b01"), light("A two", "d88b1b01")],
    ["a light that is here gets that of a new one", light("B new", "d88b1b02"), light("B one", "d88b1b02")],
    ["two new lights get one in other letters", light("C one", "d88b1b03"), light("C two", "D88B1B03")],
    ["one area is made twice in other letters", "Kind,Name\narea,Weir Park", "Kind,Name\narea,WEIR PARK"],
    ["one hub of an area is made twice", "Kind,Name,Area\nhub,Mast,Elm Park", "Kind,Name,Area\nhub,mast,Elm Park"],
    [
      "one light of an area is made twice",
      "Kind,Name,Area\ndevice,Pole,Elm Park",
      "Kind,Name,Area\ndevice,pole,Elm Park",
    ],
  ])("%s", async (_name, first, second) => {
    const [one, two] = [await check(first), await check(second)];
    expect([one.state, two.state]).toEqual(["ready", "ready"]);
    expect(await apply(one.id)).toMatchObject({ state: "done" });
    expect(await apply(two.id)).toMatchObject({ state: "failed", changes: [] });
    expect(await rows(`SELECT * FROM import_rows WHERE import_id = '${two.id}'`)).toEqual([]);
  });

  test("but not where each makes a hub or a light of one name in another area", async () => {
    for (const kind of ["hub", "device"]) {
      const file = (area: string) => `Kind,Name,Area\n${kind},Twin ${kind},${area}`;
      const [one, two] = [await check(file("Elm Park")), await check(file("North Field"))];
      expect(await apply(one.id)).toMatchObject({ state: "done" });
      expect(await apply(two.id)).toMatchObject({ state: "done" });
    }
  });

  test("nor where the light on another socket of the same outlet was changed since the check", async () => {
    await run(
      `INSERT INTO devices (id, org_id, area_id, name, cloud_device_id, local_ref, updated_at) VALUES
         ('o1','city','park','Outlet one','d88b4c0a00000009','#2','2026-01-01T00:00:00.000Z'),
         ('o2','city','park','Outlet two','d88b4c0a00000009','#4','2026-01-01T00:00:00.000Z')`,
    );
    const job = await check(
      "Kind,Name,Area,Cloud ID,Local reference,Notes\ndevice,Outlet one,Elm Park,d88b4c0a00000009,#2,by the gate",
    );
    expect(job).toMatchObject({ state: "ready", counts: { device: { update: 1 } } });
    await run("UPDATE devices SET updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), version = 2 WHERE id = 'o2'");
    expect(await apply(job.id)).toMatchObject({ state: "done" });
  });

  test("and what both have is found without comparing each row with each", async () => {
    const many = (of: string) =>
      `Kind,Name,Area,Cloud ID\n${Array.from({ length: 500 }, (_, i) => `device,${of} ${i},Elm Park,${of}${i}`).join("\n")}`;
    const [one, two] = [await check(many("x1")), await check(many("x2"))];
    expect(await apply(one.id)).toMatchObject({ state: "done" });
    await run(`UPDATE imports SET state = 'applying' WHERE id = '${two.id}'`);
    const user_id = String((await rows(`SELECT user_id FROM imports WHERE id = '${two.id}'`))[0]?.["user_id"]);
    const { meta } = await imports(database(env.DB), { org_id: "city", user_id }).begun(two.id);
    expect(meta.rows_read).toBeLessThan(20_000);
  });
});

describe("an export imported again changes nothing", () => {
  test("of a manager who may only read in a department", async () => {
    const auditor = as("auditor", { now });
    const csv = await servicesOf("auditor").imports.inventory();
    expect(csv).toContain("Sports");
    expect(await check(csv, auditor)).toMatchObject({ state: "ready", problems: [], changes: [] });
    const [light] = await rows(
      "SELECT d.name, a.name AS area FROM devices d JOIN areas a ON a.id = d.area_id WHERE d.dept_id = 'sports'",
    );
    const edited = `Kind,Name,Area,Notes\ndevice,${String(light?.["name"])},${String(light?.["area"])},mine`;
    expect(await check(edited, auditor)).toMatchObject({
      state: "failed",
      problems: [{ sentence: "You may only read in the department of this light." }],
    });
  });

  test("of a manager who only reads in a department, and would take one of its areas out of use", async () => {
    const auditor = as("auditor", { now });
    const [area] = await rows(
      "SELECT a.name FROM devices d JOIN areas a ON a.id = d.area_id WHERE d.dept_id = 'sports'",
    );
    const file = (active: string) => `Kind,Name,Active\narea,${String(area?.["name"])},${active}`;
    expect(await check(file("yes"), auditor)).toMatchObject({ state: "ready", changes: [] });
    expect(await check(file("no"), auditor)).toMatchObject({
      state: "failed",
      problems: [
        { row: 2, column: "Active", sentence: "You may only read in the department of a light of this area." },
      ],
    });
  });

  test("of a manager who does not see the light on another socket of the same outlet", async () => {
    await run(
      `INSERT INTO devices (id, org_id, area_id, dept_id, name, cloud_device_id, local_ref) VALUES
         ('s1','city','park','sports','Socket one','d88b4c0a00000001','#2'),
         ('s2','city','park','rivers','Socket two','d88b4c0a00000001','#4')`,
    );
    const csv = await servicesOf("manager").imports.inventory();
    expect(await check(csv)).toMatchObject({ state: "ready", problems: [], changes: [] });
  });
});

test("an import that was applied is applied once, however often it is asked for", async () => {
  const job = await check("Kind,Name\narea,Once\n");
  const answers = await Promise.all([apply(job.id), apply(job.id), apply(job.id)]);
  expect(answers.map(({ state }) => state).filter((state) => !["done", "applying"].includes(state))).toEqual([]);
  expect(await apply(job.id)).toMatchObject({ state: "done" });
  expect(await rows("SELECT name FROM areas WHERE name = 'Once'")).toHaveLength(1);
});

test("what died in the middle ends as failed, and a straggler of it changes nothing", async () => {
  for (const state of ["checking", "applying"]) {
    const job = await check("Kind,Name\narea,Dead\n");
    await run(`UPDATE imports SET state = '${state}' WHERE id = '${job.id}'`);
    const later = as("manager", { now: () => new Date(Date.now() + 120_000) });
    const { json } = await later.get(`/imports/${job.id}`);
    expect(json.data).toMatchObject({ state: "failed", reason: expect.stringContaining("interrupted") });
    expect((await later.post(`/imports/${job.id}/apply`)).status).toBe(409);
  }
  expect(await rows("SELECT name FROM areas WHERE name = 'Dead'")).toEqual([]);
});

test("a checked file waits for its person, and an applied one stays so, however late they look", async () => {
  const [ready, done] = [await check("Kind,Name\narea,Patient\n"), await check("Kind,Name\narea,Applied\n")];
  await apply(done.id);
  const later = as("manager", { now: () => new Date(Date.now() + 3_600_000) });
  expect((await later.get(`/imports/${done.id}`)).json.data.state).toBe("done");
  expect((await later.get(`/imports/${ready.id}`)).json.data).toMatchObject({ state: "ready", changes: [{ row: 2 }] });
  expect((await later.post(`/imports/${ready.id}/apply`)).json.data.state).toBe("done");
});

test("the end of a check is that of its own file, and of none that was given up or is another's", async () => {
  const [given_up, other] = [await check("Kind,Name\narea,Late\n"), await check("Kind,Name\narea,Slow\n")];
  await run(`UPDATE imports SET state = 'failed' WHERE id = '${given_up.id}'`);
  await run(`UPDATE imports SET state = 'checking' WHERE id = '${other.id}'`);
  await check("Kind,Name\narea,Quick\n");
  await imports(database(env.DB), { org_id: "city", user_id: "manager" }).checked(given_up.id, { state: "ready" });
  await manager().get("/imports");
  const stateOf = async ({ id }: { id: string }) => (await manager().get(`/imports/${id}`)).json.data.state;
  expect([await stateOf(given_up), await stateOf(other)]).toEqual(["failed", "checking"]);
});

test("a file is told nothing of the lights and the departments that its person does not see", async () => {
  expect(await check("Kind,Name,Area,Notes\ndevice,Weir light,Elm Park,mine\n")).toMatchObject({
    state: "ready",
    counts: { device: { create: 1, update: 0, same: 0 } },
  });
  expect(await check("Kind,Name,Area,Department\ndevice,New light,Elm Park,Rivers\n")).toMatchObject({
    problems: [
      {
        row: 2,
        column: "Department",
        sentence: 'There is no department "Rivers". Write one of: Sports; or leave it empty.',
      },
    ],
  });
});

test("an import is its person's own, and a department is asked for again when it is applied", async () => {
  const job = await check("Kind,Name,Area,Department\ndevice,Scoped,Elm Park,Sports\n");
  for (const other of ["admin", "stranger"] as const) {
    expect((await as(other, { now }).get(`/imports/${job.id}`)).status).toBe(404);
    expect((await as(other, { now }).post(`/imports/${job.id}/apply`)).status).toBe(404);
    const { json } = await as(other, { now }).get("/imports");
    expect(json.data.map(({ id }: { id: string }) => id)).not.toContain(job.id);
  }
  const former = scopeFor("manager", { now });
  former.user.dept_memberships = [];
  await expect(makeServices(former).imports.apply(job.id)).rejects.toMatchObject({
    code: "forbidden",
    detail: "Some of these lights belong to departments you are not in",
  });
  expect(
    (await as("auditor", { now }).post("/imports", { csv: "Kind,Name,Area,Department\ndevice,L,Elm Park,Sports" })).json
      .data,
  ).toMatchObject({
    problems: [{ row: 2, column: "Department", sentence: 'You may only read in the department "Sports".' }],
  });
});

test("who works in two cities has an import in the one in which it was begun", async () => {
  const job = await check("Kind,Name\narea,Twice\n");
  const there = makeServices({ ...scopeFor("manager", { now }), org_id: "harbor" }).imports;
  expect((await there.list()).map(({ id }) => id)).not.toContain(job.id);
  await expect(there.find(job.id)).rejects.toMatchObject({ code: "not_found" });
  await expect(there.apply(job.id)).rejects.toMatchObject({ code: "not_found" });
  expect((await manager().get(`/imports/${job.id}`)).status).toBe(200);
});

test("who may only read a light of an area by the time of the import takes it neither out of use nor back", async () => {
  const file = (active: string) => `Kind,Name,Active\narea,Elm Park,${active}`;
  const reader = () => {
    const scope = scopeFor("manager", { now });
    scope.user.dept_memberships = [{ dept_id: "sports", org_id: "city", role: "dept_auditor" }];
    return makeServices(scope).imports;
  };
  const isActive = async () => (await rows("SELECT active FROM areas WHERE id = 'park'"))[0]?.["active"];
  const out = await check(file("no"));
  await expect(reader().apply(out.id)).rejects.toMatchObject({ code: "forbidden", detail: "Permission denied" });
  expect(await isActive()).toBe(1);
  expect(await apply(out.id)).toMatchObject({ state: "done" });
  const back = await check(file("yes"));
  await expect(reader().apply(back.id)).rejects.toMatchObject({ code: "forbidden" });
  expect(await isActive()).toBe(0);
  expect(await apply(back.id)).toMatchObject({ state: "done" });
  const renamed = await check("Kind,Name,Type\narea,Elm Park,field");
  expect(await reader().apply(renamed.id)).toMatchObject({ state: "done" });
});

test("a file that gives an area its place says anew when its schedules by the sun begin", async () => {
  await run(
    `INSERT INTO schedules (id, org_id, area_id, title, start_at, end_at, start_sun, timezone, rrule, window_start_at, window_end_at, then_start_at)
     VALUES ('dusk', 'city', 'field', 'Dusk', '2026-12-01T02:00:00.000Z', '2026-12-01T05:00:00.000Z',
       '{"event":"sunset","offset_min":0}', 'UTC', 'FREQ=DAILY', '2027-01-01T02:00:00.000Z', '2027-01-01T05:00:00.000Z', '')`,
  );
  const { id } = await check("Kind,Name,Latitude,Longitude\narea,North Field,34,-118\n");
  const others = () => rows("SELECT id, positions FROM areas WHERE id <> 'field' ORDER BY id");
  const before = await others();
  expect(await apply(id)).toMatchObject({ state: "done" });
  expect(await others()).toEqual(before);
  expect(await rows("SELECT window_start_at, window_end_at FROM schedules WHERE id = 'dusk'")).toEqual([
    { window_start_at: null, window_end_at: "" },
  ]);
  await run("DELETE FROM schedules WHERE id = 'dusk'");
});

test("what was checked for all departments is imported also after another one was chosen", async () => {
  for (const who of ["admin", "manager"] as const) {
    const job = await check(`Kind,Name,Area,Department\ndevice,Court of ${who},Elm Park,Sports\n`, as(who, { now }));
    const narrowed = as(who, { now, dept: "rivers" });
    expect(await apply(job.id, narrowed)).toMatchObject({ state: "done" });
  }
});

test("a file is checked against all departments of its person, whichever is chosen", async () => {
  const csv = "Kind,Name,Area,Department,Notes\ndevice,Weir light,Elm Park,Rivers,Rapids\n";
  expect(await check(csv, as("admin", { now, dept: "sports" }))).toMatchObject({
    state: "ready",
    problems: [],
    changes: [{ action: "update", name: "Weir light", fields: ["Notes"] }],
  });
});

test("where a department is deleted meanwhile its former member is told that the file is out of date", async () => {
  await run("INSERT INTO departments (id, org_id, name) VALUES ('brief', 'city', 'Brief')");
  const member = scopeFor("manager", { now });
  member.user.dept_memberships = [{ org_id: "city", dept_id: "brief", role: "dept_staff" }];
  const csv = "Kind,Name,Area,Department\ndevice,Brief light,Elm Park,Brief\n";
  const { id } = await makeServices(member).imports.create({ csv });
  await run("DELETE FROM departments WHERE id = 'brief'");
  member.user.dept_memberships = [];
  expect(await makeServices(member).imports.apply(id)).toMatchObject({
    state: "failed",
    reason: expect.stringContaining("was changed by someone else meanwhile"),
  });
});

test("a hub that is pointed elsewhere loses its credentials, another keeps them", async () => {
  const secrets = "SELECT local_client_secret AS secret FROM hubs WHERE id = 'park-hub'";
  await run(
    "UPDATE hubs SET local_client_id = 'a', local_client_secret = 'b', ip_address = '10.0.0.1' WHERE id = 'park-hub'",
  );
  await apply((await check("Kind,Name,Area,Notes\nhub,Park hub,Elm Park,kept")).id);
  expect(await rows(secrets)).toEqual([{ secret: "b" }]);
  await apply((await check("Kind,Name,Area,IP address\nhub,Park hub,Elm Park,10.0.0.2")).id);
  expect(await rows(secrets)).toEqual([{ secret: null }]);
});

test("ten thousand lights are checked and applied within the platform's limits", async () => {
  const many = Array.from(
    { length: 9_899 },
    (_, i) => `device,Pole ${i},Great ${i % 100},Hub 1,${(i + 0xd88b0000).toString(16)}`,
  );
  const places = Array.from({ length: 100 }, (_, i) => `area,Great ${i},,,`);
  const hubs = Array.from({ length: 1 }, () => "hub,Hub 1,Great 0,,");
  const csv = [
    "Kind,Name,Area,Hub,Cloud ID",
    ...places,
    ...hubs,
    ...many.map((line) => line.replace(/Great [1-9]\d*,Hub 1/, (text) => text.replace("Hub 1", ""))),
  ].join("\n");
  const job = await check(csv);
  const settled = async () => (await manager().get(`/imports/${job.id}`)).json.data;
  await expect
    .poll(settled, { timeout: 30_000 })
    .toMatchObject({ state: "ready", rows: 10_000, done: 10_000, problem_count: 0 });
  expect((await settled()).changes).toHaveLength(100);
  await apply(job.id);
  await expect.poll(settled, { timeout: 30_000 }).toMatchObject({ state: "done", done: 10_000 });
  expect(await rows("SELECT count(*) AS n FROM devices WHERE name LIKE 'Pole %'")).toEqual([{ n: 9_899 }]);
  expect(await rows("SELECT count(*) AS n FROM audit_logs WHERE id LIKE '" + job.id + ":%'")).toEqual([{ n: 10_000 }]);
  expect(asked).toEqual([{ verb: "sync", org_id: "city" }]);
});

test("a file is checked however long its name is", async () => {
  const file = { name: `${"x".repeat(300)}.csv`, bytes: new TextEncoder().encode("Kind,Name\narea,A") };
  expect(await servicesOf("manager").imports.upload(file)).toMatchObject({ state: "ready" });
});

test.each([
  [`${"x".repeat(119)}\u{1F3DF} stadium.csv`, "x".repeat(119)],
  ["\u202alights\u2028.csv", "lights.csv"],
])("a file is checked whatever cannot be shown of its name: %j", async (name, file_name) => {
  const file = { name, bytes: new TextEncoder().encode("Kind,Name\narea,A") };
  expect(await servicesOf("manager").imports.upload(file)).toMatchObject({ state: "ready", file_name });
});

test("an import is forgotten after a month, with what was staged for it", async () => {
  const job = await check("Kind,Name\narea,Old\n");
  await run(`UPDATE imports SET created_at = '2020-01-01T00:00:00.000Z' WHERE id = '${job.id}'`);
  await prune(database(env.DB), new Date(), 400);
  expect(await rows(`SELECT id FROM imports WHERE id = '${job.id}'`)).toEqual([]);
  expect(await rows(`SELECT row FROM import_rows WHERE import_id = '${job.id}'`)).toEqual([]);
});
