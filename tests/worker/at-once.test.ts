import { beforeAll, expect, test } from "vitest";
import { as, audits, NOW, servicesOf } from "../support/api";
import { seedCity } from "../support/city";
import { rows } from "../support/door";
import { interruptedBy } from "../support/interrupted";

// Two people change one record at the same moment, and the second names no version: each has changed what they named.

beforeAll(seedCity);

const admin = as("admin");
const later = new Date(NOW.getTime() + 3_600_000).toISOString();

/** What the latest entry of the activity log says of a record. */
async function latest() {
  const { before, after } = JSON.parse((await audits()).at(-1)?.details ?? "{}");
  return { before, after };
}

test("whose role is taken while they are switched off does not get it back", async () => {
  const theirs =
    "UPDATE org_memberships SET role = 'employee', version = version + 1 WHERE user_id = ? AND role = 'manager'";
  const late = as("admin", { db: interruptedBy(theirs, "manager") });
  const { status, json } = await late.put("/users/manager", { active: false });
  expect({ status, role: json.data?.role, active: json.data?.active }).toEqual({
    status: 200,
    role: "employee",
    active: false,
  });
  expect(await latest()).toMatchObject({
    before: { role: "employee", active: true },
    after: { role: "employee", active: false },
  });
});

test("a closure that is reopened keeps the reason that it is given at that moment", async () => {
  const { id } = (await admin.post("/closures", { target: { type: "area", id: "park" }, reason: "wet" })).json.data;
  const theirs = "UPDATE closures SET reason = 'dug up', version = version + 1 WHERE id = ? AND reason = 'wet'";
  const now = () => new Date(NOW.getTime() + 60_000);
  const reopened = await servicesOf("admin", { db: interruptedBy(theirs, id), now }).closures.reopen(id);
  expect(reopened).toMatchObject({ reason: "dug up", to: now().toISOString() });
  expect(await latest()).toMatchObject({ before: { reason: "dug up" }, after: { reason: "dug up" } });
});

test("a closure whose reason is changed stays open if it is reopened at that moment", async () => {
  const { id } = (await admin.post("/closures", { target: { type: "area", id: "park" }, reason: "wet" })).json.data;
  const theirs = "UPDATE closures SET to_at = ?, version = version + 1 WHERE id = ? AND to_at IS NULL";
  const late = as("admin", { db: interruptedBy(theirs, later, id) });
  expect((await late.put(`/closures/${id}`, { reason: "dug up" })).json.data).toMatchObject({
    reason: "dug up",
    to: later,
  });
});

test("a policy keeps what another admin says of something else at that moment", async () => {
  await admin.put("/admin/policies/type/river", { MAX_ON_DURATION_MIN: 60 });
  const theirs = "UPDATE policies SET HARD_CURFEW_OFF = '22:00', version = version + 1 WHERE HARD_CURFEW_OFF IS NULL";
  const late = as("admin", { db: interruptedBy(theirs) });
  const { json } = await late.put("/admin/policies/type/river", { MAX_ON_DURATION_MIN: 90 });
  expect(json.data).toMatchObject({ HARD_CURFEW_OFF: "22:00", MAX_ON_DURATION_MIN: 90 });
});

test("a person's choice of messages keeps what they say in another tab at that moment", async () => {
  await as("employee").put("/messages/mine", { phone: "+13105550142" });
  const theirs =
    "UPDATE message_choices SET phone = '+13105550143', version = version + 1 WHERE phone = '+13105550142'";
  const late = as("employee", { db: interruptedBy(theirs) });
  expect((await late.put("/messages/mine", { digest: false })).json.data).toMatchObject({
    phone: "+13105550143",
    digest: false,
  });
});

test("where others change it without end, it is refused", async () => {
  const often = "UPDATE org_memberships SET version = version + 1";
  const before = await rows("SELECT * FROM audit_logs");
  expect(await as("admin", { db: interruptedBy(often) }).put("/users/employee", { role: "manager" })).toEqual({
    status: 409,
    json: { detail: "This user was changed by someone else meanwhile. Reload and try again." },
  });
  expect(await rows("SELECT * FROM audit_logs")).toEqual(before);
});
