import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { staffOf } from "#app/routes/departments/staff";
import { mayTakeOut } from "#domain/organization/permissions";
import { as, fingerprint, scopeFor, servicesOf } from "../support/api";
import { seedCity } from "../support/city";

beforeAll(seedCity);

const refused = { status: 403, json: { detail: "Permission denied" } };
const path = "/departments/sports/members/inspector";

/** Whether the screen offers the inspector to leave. */
async function isOffered(): Promise<boolean> {
  const { members, admins } = await staffOf(servicesOf("inspector"), "sports");
  const own = members.find(({ user_id }) => user_id === "inspector");
  return own !== undefined && mayTakeOut(scopeFor("inspector", {}).user, own, admins);
}

test("an admin neither leaves nor deletes a department that they audit, and another admin takes them out", async () => {
  const inspector = as("inspector");
  const before = await fingerprint();
  expect(await inspector.remove(path)).toMatchObject(refused);
  expect(await isOffered()).toBe(false);
  expect(await inspector.remove("/departments/sports")).toMatchObject(refused);
  expect(await fingerprint()).toEqual(before);
  expect((await inspector.put("/departments/sports", { name: "Sport" })).status).toBe(200);
  expect((await inspector.remove("/departments/sports/members/auditor")).status).toBe(200);
  expect((await as("admin").remove(path)).status).toBe(200);
});

test("the only admin leaves a department that they audit, since nobody else could take them out", async () => {
  const add = (user_id: string, role: string) => as("admin").post("/departments/sports/members", { user_id, role });
  await add("inspector", "dept_auditor");
  await env.DB.prepare("UPDATE org_memberships SET pending = 1 WHERE user_id = 'admin'").run();
  expect(await isOffered()).toBe(true);
  expect((await as("inspector").remove(path)).status).toBe(200);
  await env.DB.prepare("UPDATE org_memberships SET pending = 0 WHERE user_id = 'admin'").run();
});

test("an admin who works in a department leaves it by their own hand", async () => {
  await as("admin").post("/departments/sports/members", { user_id: "admin", role: "dept_admin" });
  expect((await as("admin").remove("/departments/sports/members/admin")).status).toBe(200);
});
