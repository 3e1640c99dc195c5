import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { areasAndPeople } from "#app/routes/choices/every-choice";
import { toldOfSave } from "#app/routes/workorders/save-told";
import { as, audits, fingerprint, NOW, servicesOf } from "../support/api";
import { seedCity } from "../support/city";
import { interruptedBy } from "../support/interrupted";

beforeAll(seedCity);

const admin = as("admin");
const employee = as("employee");
const make = async (name: Parameters<typeof as>[0], more: Record<string, unknown> = {}) =>
  (await as(name).post("/workorders", { title: "Fix it", ...more })).json.data;

test("a work order of which somebody chose the area is of that one alone, and names no light that one does not see", async () => {
  const { id } = await make("admin", { device_id: "weir" });
  await env.DB.prepare("UPDATE workorders SET area_id = 'field' WHERE id = ?").bind(id).run();
  const found = async (who: "admin" | "employee", area: string) =>
    (await servicesOf(who).workorders.page({ area })).rows.map((row) => [row.id, row.device_name]);
  const told = [await found("admin", "field"), await found("admin", "park"), await found("employee", "field")];
  await env.DB.prepare("DELETE FROM workorders").run();
  expect(told).toEqual([[[id, "Weir light"]], [], [[id, null]]]);
});

test("everyone may create one; it is open, medium, organization-wide and theirs", async () => {
  const { status, json } = await employee.post("/workorders", {
    title: " Fix it ",
    description: " ",
    status: undefined,
  });
  expect(status).toBe(201);
  expect(json.data).toEqual({
    id: expect.any(String),
    title: "Fix it",
    description: null,
    status: "open",
    priority: "medium",
    dept_id: null,
    device_id: null,
    area_id: null,
    assigned_to: null,
    created_by: "employee",
    completed_at: null,
    alarm_id: null,
    alarm_over_at: null,
    version: 1,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
});

test("completed_at follows the status completed", async () => {
  const { id } = await make("employee");
  const save = async (status?: string) =>
    (await employee.put(`/workorders/${id}`, { title: "Fix it", ...(status ? { status } : {}) })).json.data;
  expect((await save("completed")).completed_at).toBe(NOW.toISOString());
  expect(await save()).toMatchObject({ status: "completed", completed_at: NOW.toISOString() });
  expect((await save("in_progress")).completed_at).toBeNull();
  expect((await make("employee", { status: "completed" })).completed_at).toBe(NOW.toISOString());
});

test.each([
  [{ title: "" }, "Workorder title is required"],
  [{ title: undefined }, "Workorder title is required"],
  [{ title: {} }, "Workorder title is required"],
  [{ title: "x".repeat(201) }, "Title may have at most 200 characters"],
  [{ description: "x".repeat(5001) }, "Description may have at most 5000 characters"],
  [{ status: "done" }, "Status must be one of: open, in_progress, completed, canceled"],
  [{ priority: "critical" }, "Priority must be one of: low, medium, high, urgent"],
  [{ dept_id: "docks" }, "Department not found"],
  [{ dept_id: "rivers" }, "Department not found"],
  [{ dept_id: 4 }, "Department must be text"],
  [{ area_id: "pier" }, "Area not found"],
  [{ device_id: "buoy" }, "Device not found"],
  [{ device_id: "weir" }, "Device not found"],
  [{ device_id: "court", area_id: "field" }, "Choose a device of the chosen area"],
  [{ assigned_to: "stranger" }, "Assignee not found"],
  [{ assigned_to: "nobody" }, "Assignee not found"],
])("refuses %j with a message and changes nothing", async (more, detail) => {
  const { id } = await make("employee");
  const before = await fingerprint();
  const input = { title: "Fix it", ...more };
  for (const refused of [await employee.post("/workorders", input), await employee.put(`/workorders/${id}`, input)]) {
    expect([refused.status, refused.json.detail]).toEqual([422, detail]);
  }
  expect(await fingerprint()).toEqual(before);
});

test("an edit keeps a reference that the editor cannot see", async () => {
  const { id } = await make("admin", { device_id: "weir", area_id: "park", assigned_to: "manager" });
  const input = { title: "Still", device_id: "weir", area_id: "park", assigned_to: "manager" };
  expect((await employee.put(`/workorders/${id}`, input)).json.data).toMatchObject(input);
});

test("only their own department sees them", async () => {
  const ids = async (...who: Parameters<typeof as>) =>
    (await as(...who).get("/workorders")).json.data.map((row: { id: string }) => row.id);
  const sports = await make("employee", { dept_id: "sports" });
  const rivers = await make("admin", { dept_id: "rivers" });
  expect(await ids("employee")).toContain(sports.id);
  expect(await ids("employee")).not.toContain(rivers.id);
  expect(await ids("admin")).toEqual(expect.arrayContaining([sports.id, rivers.id]));
  expect(await ids("admin", { dept: "rivers" })).not.toContain(sports.id);
  expect(await ids("stranger")).toEqual([]);

  const before = await fingerprint();
  expect((await employee.put(`/workorders/${rivers.id}`, { title: "x" })).status).toBe(404);
  expect((await employee.remove(`/workorders/${rivers.id}`)).json).toEqual({ detail: "Workorder not found" });
  expect((await as("stranger").remove(`/workorders/${sports.id}`)).status).toBe(404);
  expect((await as("auditor").put(`/workorders/${sports.id}`, { title: "x" })).status).toBe(403);
  expect((await as("auditor").remove(`/workorders/${sports.id}`)).status).toBe(403);
  expect((await as("auditor").post("/workorders", { title: "x", dept_id: "sports" })).status).toBe(403);
  expect(await fingerprint()).toEqual(before);
});

test("only admins, managers and the creator may delete one", async () => {
  const theirs = await make("manager");
  const mine = await make("employee");
  expect((await employee.remove(`/workorders/${theirs.id}`)).json).toEqual({ detail: "Permission denied" });
  expect((await employee.remove(`/workorders/${mine.id}`)).json).toEqual({ success: true });
  expect((await as("manager").remove(`/workorders/${theirs.id}`)).status).toBe(200);
  expect((await admin.remove(`/workorders/${(await make("employee")).id}`)).status).toBe(200);
});

test("a stale If-Match gets 409", async () => {
  const { id } = await make("employee");
  expect((await employee.put(`/workorders/${id}`, { title: "A" }, 1)).status).toBe(200);
  const late = await admin.put(`/workorders/${id}`, { title: "B" }, 1);
  expect(late.json.detail).toBe("This workorder was changed by someone else meanwhile. Reload and try again.");
});

test("one of a light is its area's too where nobody has chosen an area, and goes with the light", async () => {
  const { id } = await make("admin", { title: "Lens is cracked", device_id: "weir" });
  const ofArea = async (area: string, who: "admin" | "employee" = "admin") => {
    const { rows } = await servicesOf(who).workorders.page({ area, q: "Lens is cracked" });
    const { json } = await as(who).get(`/areas/${area}`);
    return [rows.length, json.data.workorders.filter((order: { id: string }) => order.id === id).length];
  };
  expect([await ofArea("park"), await ofArea("field")]).toEqual([
    [1, 1],
    [0, 0],
  ]);
  // The order is everybody's; where a light of another department stands is not.
  await env.DB.prepare("UPDATE devices SET dept_id = 'docks', area_id = 'field' WHERE id = 'weir'").run();
  expect(await ofArea("field", "employee")).toEqual([0, 0]);
  expect([await ofArea("park"), await ofArea("field")]).toEqual([
    [0, 0],
    [1, 1],
  ]);
});

test.each([
  ["open", "status = 'completed', completed_at = '2026-11-20T19:00:00.000Z'", null],
  ["completed", "status = 'open', completed_at = NULL", NOW.toISOString()],
])(
  "one that is saved as %s is so, though somebody sets its %s at that moment",
  async (status, theirs, completed_at) => {
    const { id } = (await admin.post("/workorders", { title: "Bulb", status })).json.data;
    const late = as("admin", { db: interruptedBy(`UPDATE workorders SET ${theirs} WHERE id = ?`, id) });
    const { json } = await late.put(`/workorders/${id}`, { title: "Bulb", status });
    expect(json.data).toMatchObject({ status, completed_at });
  },
);

test.each([
  ["status = 'completed', completed_at = '2026-11-20T19:00:00.000Z'", "open", "completed", "2026-11-20T19:00:00.000Z"],
  ["status = 'open', completed_at = NULL", "completed", "completed", NOW.toISOString()],
  ["status = 'open', completed_at = NULL", "completed", "open", null],
])(
  "the log tells the completion that the record has: somebody sets %s of one that was %s while it is saved as %s",
  async (theirs, was, status, completed_at) => {
    const { id } = (await admin.post("/workorders", { title: "Bulb", status: was })).json.data;
    await env.DB.prepare("UPDATE workorders SET completed_at = '2026-11-19T19:00:00.000Z' WHERE id = ? AND status = ?")
      .bind(id, "completed")
      .run();
    const late = as("admin", { db: interruptedBy(`UPDATE workorders SET ${theirs} WHERE id = ?`, id) });
    const { json } = await late.put(`/workorders/${id}`, { title: "Bulb", status });
    expect(json.data).toMatchObject({ status, completed_at });
    expect(JSON.parse((await audits()).at(-1)?.details ?? "null").after).toMatchObject({ status, completed_at });
  },
);

test("what is still to be done goes with its light to another area; what is done stays where it was", async () => {
  const light = (await admin.post("/devices", { name: "Traveling light", area_id: "park" })).json.data;
  const place = { area_id: "park", device_id: light.id };
  const [open, begun, done, elsewhere] = [
    await make("employee", place),
    await make("employee", { ...place, status: "in_progress" }),
    await make("employee", { ...place, status: "completed" }),
    await make("employee", { device_id: light.id }),
  ];
  await admin.put(`/devices/${light.id}`, { name: light.name, area_id: "field" });
  const { data } = (await employee.get("/workorders")).json;
  const areaOf = ({ id }: { id: string }) => data.find((order: { id: string }) => order.id === id).area_id;
  expect([open, begun, done, elsewhere].map(areaOf)).toEqual(["field", "field", "park", null]);
  // Whoever has its form open would move it back: they are told, and see the new area when they have loaded it anew.
  const late = { ...open, title: "Look at it" };
  const refused = await employee.put(`/workorders/${open.id}`, late, 1);
  expect([refused.status, refused.json.detail]).toEqual([
    409,
    "This workorder was changed by someone else meanwhile. Reload and try again.",
  ]);
  expect((await employee.put(`/workorders/${open.id}`, { ...late, area_id: "field" }, 2)).status).toBe(200);
});

test("what is taken up again is where its light is by now, unless its area is chosen with it", async () => {
  const light = (await admin.post("/devices", { name: "Lent light", area_id: "park" })).json.data;
  const place = { area_id: "park", device_id: light.id };
  const again = async (was: string, more: Record<string, unknown>) => {
    await admin.put(`/devices/${light.id}`, { name: light.name, area_id: "park" });
    const { id } = await make("employee", { ...place, status: was });
    await admin.put(`/devices/${light.id}`, { name: light.name, area_id: "field" });
    return (await employee.put(`/workorders/${id}`, { title: "Fix it", ...more })).json.data;
  };
  expect(await again("completed", { ...place, status: "open" })).toMatchObject({ ...place, area_id: "field" });
  expect(await again("canceled", { status: "in_progress" })).toMatchObject({ ...place, area_id: "field" });
  expect(await again("completed", { ...place, status: "canceled" })).toMatchObject(place);
  expect(await again("completed", { priority: "low" })).toMatchObject(place);
  const elsewhere = { area_id: "park", device_id: null };
  expect(await again("completed", { ...elsewhere, status: "open" })).toMatchObject(elsewhere);
});

test("what is taken up again is nobody's if its person has left", async () => {
  const { id } = (await admin.post("/users", { email: "season@parks.example", role: "employee" })).json.data;
  const active = (is: number) =>
    env.DB.prepare("UPDATE org_memberships SET pending = 0, active = ? WHERE user_id = ?").bind(is, id).run();
  await active(1);
  const order = await make("admin", { assigned_to: id, status: "completed" });
  const kept = await make("admin", { assigned_to: "employee", status: "completed" });
  await active(0);
  const save = async (of: { id: string }, status: string, assigned_to?: string) =>
    (await admin.put(`/workorders/${of.id}`, { title: "Fix it", status, assigned_to })).json.data.assigned_to;
  expect(await save(order, "canceled", id)).toBe(id);
  expect(await save(order, "open", id)).toBeNull();
  expect(await save(kept, "open", "employee")).toBe("employee");
});

test("what is open and moved to a department that its person does not see is nobody's", async () => {
  const moved = async (was: Record<string, unknown>, more: Record<string, unknown>) => {
    const { id } = await make("admin", was);
    return (await admin.put(`/workorders/${id}`, { title: "Fix it", ...more })).json.data.assigned_to;
  };
  const theirs = { assigned_to: "employee" };
  expect(await moved(theirs, { dept_id: "rivers" })).toBeNull();
  expect(await moved(theirs, { dept_id: "rivers", ...theirs })).toBeNull();
  expect(await moved({ ...theirs, dept_id: "sports" }, { dept_id: "rivers", ...theirs })).toBeNull();
  expect(await moved({ ...theirs, status: "completed", dept_id: "rivers" }, { status: "open" })).toBeNull();
  expect(await moved(theirs, { dept_id: "sports", ...theirs })).toBe("employee");
  expect(await moved({ ...theirs, dept_id: "sports" }, { dept_id: null, ...theirs })).toBe("employee");
  expect(await moved({ assigned_to: "inspector" }, { dept_id: "rivers" })).toBe("inspector");
  expect(await moved({ ...theirs, status: "completed" }, { dept_id: "rivers", ...theirs })).toBe("employee");
  expect(await moved({ assigned_to: "manager" }, { dept_id: "rivers", ...theirs })).toBe("employee");
  expect(await moved({ ...theirs, dept_id: "rivers" }, { priority: "high" })).toBe("employee");
});

test("who saves what has become nobody's by that is told so", () => {
  const form = new FormData();
  form.set("assigned_to", "employee");
  expect(toldOfSave(form, { assigned_to: null }).detail).toBe(
    "It is nobody's now: the person who had it does not see its department, or has left.",
  );
  expect(toldOfSave(form, { assigned_to: "employee" }).detail).toBeNull();
  form.set("assigned_to", "");
  expect(toldOfSave(form, { assigned_to: null }).detail).toBeNull();
});

test("who has yet to accept an invitation is nobody's assignee, and is not offered as one", async () => {
  const { id } = (await admin.post("/users", { email: "newcomer@parks.example", role: "employee" })).json.data;
  const refused = await admin.post("/workorders", { title: "Fix it", assigned_to: id });
  expect([refused.status, refused.json.detail]).toEqual([422, "Assignee not found"]);
  const { people } = await areasAndPeople(servicesOf("admin"));
  expect(people.map((person) => person.id)).toContain("manager");
  expect(people.map((person) => person.id)).not.toContain(id);
  await env.DB.prepare("UPDATE org_memberships SET pending = 0 WHERE user_id = ?").bind(id).run();
  expect((await admin.post("/workorders", { title: "Fix it", assigned_to: id })).status).toBe(201);
  expect((await areasAndPeople(servicesOf("admin"))).people.map((person) => person.id)).toContain(id);
});
