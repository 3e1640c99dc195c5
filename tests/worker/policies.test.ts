import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { answer } from "#app/forms/form-answer";
import { placesOf } from "#app/routes/guardrails/places-of";
import { policyHandlers } from "#app/routes/guardrails/policy-handlers";
import { database } from "#db/database";
import * as t from "#db/schema";
import { makeServices } from "#worker/wiring";
import { as, asked, audits, fingerprint, scopeFor, servicesOf } from "../support/api";
import { seedCity } from "../support/city";
import { interruptedBy } from "../support/interrupted";

beforeAll(async () => {
  await seedCity();
  const db = database(env.DB);
  await db.batch([
    db.insert(t.device_groups).values([
      { id: "pitch", org_id: "city", area_id: "field", name: "Pitch A" },
      { id: "ticked", org_id: "city", area_id: "field", name: null },
      { id: "berths", org_id: "harbor", area_id: "pier", name: "Berths" },
    ]),
  ]);
});

const admin = as("admin");
const NONE = { HARD_CURFEW_OFF: "", BLACKOUT_WINDOW: "" };

test("a policy is made, changed by its version, listed and removed, with an audit entry each", async () => {
  asked.length = 0;
  const path = "/admin/policies/area/park";
  const made = await admin.put(path, { ...NONE, MAX_ON_DURATION_MIN: 960 });
  expect(made).toEqual({
    status: 200,
    json: { data: { scope: "area", id: "park", name: "Elm Park", ...NONE, MAX_ON_DURATION_MIN: 960, version: 1 } },
  });
  const changed = await admin.put(path, { MAX_ON_DURATION_MIN: null }, 1);
  expect(changed.json.data).toMatchObject({ ...NONE, MAX_ON_DURATION_MIN: null, version: 2 });
  expect((await admin.put(path, { MAX_ON_DURATION_MIN: 5 }, 1)).json.detail).toBe(
    "This policy was changed by someone else meanwhile. Reload and try again.",
  );
  expect((await admin.get("/admin/policies")).json.data).toEqual([changed.json.data]);
  expect((await admin.remove(path)).json).toEqual({ success: true });
  expect((await admin.remove(path)).status).toBe(404);
  expect((await admin.put(path, { MAX_ON_DURATION_MIN: 5 }, 2)).json.detail).toBe(
    "This policy was removed by someone else meanwhile. Reload and try again.",
  );
  expect((await admin.get("/admin/policies")).json.data).toEqual([]);
  const told = (await audits()).filter(({ resource_type }) => resource_type === "policy");
  expect(told.map(({ action }) => action)).toEqual(["create", "update", "delete"]);
  expect(JSON.parse(told[1]?.details ?? "null")).toEqual({ before: made.json.data, after: changed.json.data });
  expect(asked.map(({ verb }) => verb)).toEqual(["sync", "sync", "sync"]);
});

const dark = { BLACKOUT_WINDOW: "00:00-23:59" };

test("an admin who only audits a department sets no rules for a place with its lights, and the city's and a type's still", async () => {
  const refused = { status: 403, json: { detail: "Permission denied" } };
  const inspector = as("inspector");
  await env.DB.prepare(
    "INSERT INTO device_groups (id, org_id, area_id, name) VALUES ('courts', 'city', 'park', 'Courts')",
  ).run();
  await env.DB.prepare(
    "INSERT INTO group_devices (org_id, group_id, device_id) VALUES ('city', 'courts', 'court')",
  ).run();
  for (const place of ["area/park", "group/courts"]) {
    const path = `/admin/policies/${place}`;
    const before = await fingerprint();
    expect(await inspector.put(path, dark)).toMatchObject(refused);
    await expect(servicesOf("inspector").policies.create(...placeIn(place), dark)).rejects.toThrow("Permission denied");
    expect(await fingerprint()).toEqual(before);
    await admin.put(path, dark);
    expect(await inspector.put(path, {})).toMatchObject(refused);
    expect(await inspector.remove(path)).toMatchObject(refused);
    expect((await admin.remove(path)).status).toBe(200);
  }
  for (const place of ["area/field", "group/pitch", "type/park"]) {
    const path = `/admin/policies/${place}`;
    expect((await inspector.put(path, dark)).status).toBe(200);
    expect((await inspector.remove(path)).status).toBe(200);
  }
});

test("an admin who only reads a light of a place is offered neither its policy nor to give it one", async () => {
  await admin.put("/admin/policies/area/park", dark);
  await admin.put("/admin/policies/type/park", dark);
  const offered = async (who: "admin" | "inspector") => {
    const { policies, areas, groups } = await placesOf(servicesOf(who), {});
    const written = policies.filter(({ may_write }) => may_write).map(({ id, scope }) => `${scope}:${id}`);
    return { written, areas: areas.map(({ id }) => id), groups: groups.map(({ id }) => id) };
  };
  const all = await offered("admin");
  expect(all.written).toEqual(["area:park", "type:park"]);
  expect(all.areas).toContain("park");
  expect(all.groups).toContain("courts");
  const without = (ids: string[], id: string) => ids.filter((one) => one !== id);
  expect(await offered("inspector")).toEqual({
    written: ["type:park"],
    areas: without(all.areas, "park"),
    groups: without(all.groups, "courts"),
  });
  await env.DB.prepare("UPDATE devices SET dept_id = NULL WHERE id = 'court'").run();
  expect(await offered("inspector")).toEqual(all);
  await env.DB.prepare("UPDATE devices SET dept_id = 'sports' WHERE id = 'court'").run();
  for (const place of ["area/park", "type/park"]) await admin.remove(`/admin/policies/${place}`);
});

function placeIn(place: string): [string, string] {
  const [scope = "", id = ""] = place.split("/");
  return [scope, id];
}

test("the form of a new policy replaces none that somebody else has made meanwhile, and makes its own once", async () => {
  const path = "/admin/policies/type/river";
  const theirs = await admin.put(path, { ...NONE, HARD_CURFEW_OFF: "22:00" });
  const form = new FormData();
  const sent = { id: "type:river", dark: "inherit", longest: "own", MAX_ON_DURATION_MIN: "60" };
  for (const [name, value] of Object.entries(sent)) form.set(name, value);
  const create = () => policyHandlers(servicesOf("admin", { idempotency_key: "new" }), form)["create_policy"]?.run();
  await expect(create()).rejects.toThrow("This policy was added by someone else meanwhile. Reload and try again.");
  expect((await admin.get("/admin/policies")).json.data).toEqual([theirs.json.data]);
  await admin.remove(path);
  const made = await create();
  expect(made).toMatchObject({ HARD_CURFEW_OFF: null, MAX_ON_DURATION_MIN: 60, version: 1 });
  expect(await create()).toEqual(made);
  await admin.remove(path);
});

test("a new policy's form that is changed after its answer was lost saves over that policy, and over no other one", async () => {
  const fields = { intent: "create_policy", org_id: "city", dark: "inherit", longest: "own" };
  const send = async (key: string, more: Record<string, string>) => {
    const { user, ...scope } = scopeFor("admin", { idempotency_key: key });
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...fields, ...more })) form.append(name, value);
    return (await answer(user, form, policyHandlers(makeServices({ user, ...scope }), form), {})).data;
  };
  const [river, path] = ["type:river", "type:path"].map((id) => ({ id, MAX_ON_DURATION_MIN: "60" }));
  expect(await send("lost", { ...river })).toMatchObject({ ok: true });
  const changed = { ...river, MAX_ON_DURATION_MIN: "90" };
  const { toast, saved_before } = await send("lost", changed);
  expect(toast).toMatch(/^What you sent first was saved after all\./);
  expect(saved_before).toEqual({ intent: "save_policy", id: "type:river", version: 1 });
  expect(await send("then", { ...changed, intent: "save_policy", version: "1" })).toMatchObject({ ok: true });
  expect((await send("lost", { ...path })).saved_before).toEqual({});
  const listed = (await admin.get("/admin/policies")).json.data;
  expect(listed).toMatchObject([{ id: "river", MAX_ON_DURATION_MIN: 90 }]);
  await admin.remove("/admin/policies/type/river");
});

test("a change of a policy that is removed at that moment is refused and not logged", async () => {
  const path = "/admin/policies/type/path";
  await admin.put(path, { MAX_ON_DURATION_MIN: 60 });
  // The types' names are the same in another organization.
  await as("stranger").put(path, { MAX_ON_DURATION_MIN: 60 });
  const before = await audits();
  const late = as("admin", { db: interruptedBy("DELETE FROM policies WHERE org_id = 'city'") });
  expect(await late.put(path, { MAX_ON_DURATION_MIN: 90 }, 1)).toEqual({
    status: 409,
    json: { detail: "This policy was deleted by someone else meanwhile." },
  });
  expect(await audits()).toEqual(before);
});

test("a policy is for a type, an area or a named group of the organization, else 404", async () => {
  const before = await fingerprint();
  for (const path of [
    "type/lake",
    "area/pier",
    "area/nowhere",
    "group/berths",
    "group/ticked",
    "group/nowhere",
    "organization/city",
  ]) {
    expect((await admin.put(`/admin/policies/${path}`, NONE)).status, path).toBe(404);
    expect((await admin.remove(`/admin/policies/${path}`)).status, path).toBe(404);
  }
  expect((await as("manager").put("/admin/policies/area/park", NONE)).status).toBe(403);
  expect((await as("manager").get("/admin/policies")).status).toBe(403);
  expect(await fingerprint()).toEqual(before);
});

test.each([
  [{ HARD_CURFEW_OFF: "24:00" }, "The curfew must be a time as HH:MM, or empty for none"],
  [{ BLACKOUT_WINDOW: "22:00-22:00" }, "The blackout must be two different times as HH:MM-HH:MM, or empty for none"],
  [{ MAX_ON_DURATION_MIN: 1441 }, "Max ON duration must be a whole number from 0 to 1440"],
  [{ MAX_ON_DURATION_MIN: -1 }, "Max ON duration must be a whole number from 0 to 1440"],
])("refuses %j with a sentence and changes nothing", async (input, detail) => {
  const before = await fingerprint();
  const refused = await admin.put("/admin/policies/type/path", input);
  expect([refused.status, refused.json.detail]).toEqual([422, detail]);
  expect(await fingerprint()).toEqual(before);
});

describe("what is in force in an area", () => {
  const city = {
    HARD_CURFEW_OFF: { value: "23:45", source: "organization" },
    BLACKOUT_WINDOW: { value: "00:00-05:00", source: "organization" },
    MAX_ON_DURATION_MIN: { value: 240, source: "organization" },
    words: "Dark 11:45 PM - 5:00 AM, at most 4 h",
  };

  test("without policies the organization's, for everybody of the organization", async () => {
    expect((await as("employee").get("/areas/field/guardrails")).json.data).toEqual({ ...city, groups: [] });
    expect((await as("stranger").get("/areas/field/guardrails")).status).toBe(404);
  });

  test("each value with its source, and the groups that have a policy beside it", async () => {
    await admin.put("/admin/policies/type/field", { HARD_CURFEW_OFF: "22:00", BLACKOUT_WINDOW: "" });
    await admin.put("/admin/policies/area/field", { MAX_ON_DURATION_MIN: 300 });
    await admin.put("/admin/policies/group/pitch", { ...NONE, MAX_ON_DURATION_MIN: 0 });
    expect((await admin.get("/areas/field/guardrails")).json.data).toEqual({
      HARD_CURFEW_OFF: { value: "22:00", source: "type" },
      BLACKOUT_WINDOW: { value: "", source: "type" },
      MAX_ON_DURATION_MIN: { value: 300, source: "area" },
      words: "Dark 10:00 PM - 4:00 AM, at most 5 h",
      groups: [
        {
          id: "pitch",
          name: "Pitch A",
          HARD_CURFEW_OFF: { value: "", source: "group" },
          BLACKOUT_WINDOW: { value: "", source: "group" },
          MAX_ON_DURATION_MIN: { value: 0, source: "group" },
          words: "No dark time, no max on",
        },
      ],
    });
    expect((await admin.get("/areas/park/guardrails")).json.data).toEqual({ ...city, groups: [] });
  });

  test("a group without a light that the person sees is not named", async () => {
    const db = database(env.DB);
    await db.batch([
      db.insert(t.device_groups).values({ id: "weirs", org_id: "city", area_id: "park", name: "Weirs" }),
      db.insert(t.group_devices).values({ org_id: "city", group_id: "weirs", device_id: "weir" }),
    ]);
    await admin.put("/admin/policies/group/weirs", { MAX_ON_DURATION_MIN: 30 });
    const groups = async (name: Parameters<typeof as>[0]) =>
      (await as(name).get("/areas/park/guardrails")).json.data.groups.map(({ id }: { id: string }) => id);
    expect(await groups("admin")).toEqual(["weirs"]);
    expect(await groups("employee")).toEqual([]);
    await db.delete(t.device_groups).where(eq(t.device_groups.id, "weirs"));
  });

  test("an area or a group takes its policy with it when it is deleted", async () => {
    await env.DB.prepare("DELETE FROM device_groups WHERE id = 'pitch'").run();
    expect((await admin.remove("/areas/field")).status).toBe(200);
    expect((await admin.get("/admin/policies")).json.data.map((row: { id: string }) => row.id)).toEqual(["field"]);
    expect((await admin.get("/admin/policies")).json.data).toMatchObject([{ scope: "type" }]);
  });
});
