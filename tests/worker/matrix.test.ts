import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import type { Role } from "#domain/enums";
import { can } from "#domain/organization/permissions";
import { CONTRACT, type Call, type CallName } from "#worker/api/contract";
import { address, aPlace, example, SECRET, type Place } from "../support/calls";
import { misfit, misfitBody, published, type Document } from "../support/document";
import { anOrganization, aPerson, call, PASSWORD, rows, sessionOf } from "../support/door";
import { everything, snapshot } from "../support/everything";

/**
 * The status of each call for each person, with a valid request on records of `city` whose light and work order belong to
 * the department `sports`. The manager and the employee are members of it, the auditor (otherwise a manager) only reads
 * it, and the stranger is an admin of another organization.
 */
const PEOPLE = ["admin", "manager", "employee", "org_admin", "auditor", "nobody", "stranger"] as const;
type Person = (typeof PEOPLE)[number];

const MATRIX: Record<CallName, string> = {
  "GET /health": "200 200 200 200 200 200 200",
  "GET /alive": "200 200 200 200 200 200 200",
  "GET /openapi.json": "200 200 200 200 200 200 200",
  "GET /docs": "200 200 200 200 200 200 200",
  "POST /auth/login": "200 200 200 200 200 401 200",
  "GET /auth/me": "200 200 200 200 200 401 200",
  "POST /auth/switch-dept": "200 200 200 200 200 401 422",
  "PUT /auth/password": "200 200 200 200 200 401 200",
  "POST /auth/logout": "200 200 200 200 200 401 200",
  "POST /auth/redeem": "200 200 200 200 200 401 422",
  "GET /auth/sessions": "200 200 200 200 200 401 200",
  "DELETE /auth/sessions/{id}": "200 200 200 200 200 401 404",
  "GET /auth/second-factor": "200 200 200 200 200 401 200",
  "POST /auth/second-factor": "200 200 200 200 200 401 200",
  "PUT /auth/second-factor": "200 200 200 200 200 401 409",
  "POST /auth/second-factor/remove": "200 200 200 200 200 401 200",
  "GET /dashboard": "200 200 200 200 200 401 200",
  "GET /alarms": "200 200 200 200 200 401 200",
  "PUT /alarms/acknowledge": "200 200 200 200 200 401 200",
  "PUT /alarms/{id}/acknowledge": "200 200 200 200 403 401 404",
  "PUT /alarms/{id}/assign": "200 200 200 200 403 401 404",
  "POST /alarms/{id}/workorder": "201 201 201 201 403 401 404",
  "GET /areas": "200 200 200 200 200 401 200",
  "GET /areas/{id}": "200 200 200 200 200 401 404",
  "GET /areas/{id}/guardrails": "200 200 200 200 200 401 404",
  "POST /areas": "201 201 403 201 201 401 201",
  "PUT /areas/{id}": "200 200 403 200 200 401 404",
  "DELETE /areas/{id}": "200 403 403 200 403 401 404",
  "GET /hubs": "200 200 200 200 200 401 200",
  "GET /health/hubs": "200 200 200 200 200 401 200",
  "POST /hubs": "201 201 403 201 201 401 422",
  "PUT /hubs/{id}": "200 200 403 200 403 401 404",
  "DELETE /hubs/{id}": "200 200 403 200 403 401 404",
  "GET /devices": "200 200 200 200 200 401 200",
  "GET /devices/{id}": "200 200 200 200 200 401 404",
  "POST /devices": "201 201 403 201 403 401 422",
  "PUT /devices/{id}": "200 200 403 200 403 401 404",
  "DELETE /devices/{id}": "200 403 403 200 403 401 404",
  "POST /devices/{id}/toggle": "200 200 200 200 403 401 404",
  "GET /devices/{id}/explain": "200 200 200 200 200 401 404",
  "GET /groups": "200 200 200 200 200 401 200",
  "POST /groups": "201 201 403 201 403 401 422",
  "POST /areas/{id}/toggle": "200 200 200 200 403 401 404",
  "POST /groups/{id}/toggle": "200 200 200 200 403 401 404",
  "PUT /groups/{id}": "200 200 403 200 403 401 404",
  "DELETE /groups/{id}": "200 403 403 200 403 401 404",
  "GET /hub-account/devices": "200 200 403 200 200 401 200",
  "POST /hub-account/devices": "201 201 403 201 403 401 422",
  "GET /inventory": "200 200 403 200 200 401 200",
  "GET /inventory/template": "200 200 403 200 200 401 200",
  "GET /imports": "200 200 403 200 200 401 200",
  "GET /imports/{id}": "200 200 403 200 200 401 404",
  "POST /imports": "201 201 403 201 201 401 201",
  "POST /imports/{id}/apply": "200 200 403 200 200 401 404",
  "GET /schedules": "200 200 200 200 200 401 200",
  "POST /schedules": "201 201 403 201 403 401 422",
  "POST /schedules/preview": "200 200 403 200 403 401 422",
  "PUT /schedules/{id}": "200 200 403 200 403 401 404",
  "PUT /schedules/{id}/skip": "200 200 403 200 403 401 404",
  "PUT /schedules/{id}/unskip": "200 200 403 200 403 401 404",
  "PUT /schedules/{id}/cancel": "200 200 403 200 403 401 404",
  "GET /permits": "200 200 200 200 200 401 200",
  "POST /permits": "201 201 403 201 403 401 422",
  "DELETE /permits/{id}": "200 200 403 200 403 401 404",
  "GET /closures": "200 200 200 200 200 401 200",
  "POST /closures": "201 201 403 201 403 401 422",
  "PUT /closures/{id}": "200 200 403 200 403 401 404",
  "DELETE /closures/{id}": "200 200 403 200 403 401 404",
  "GET /calendars": "200 200 200 200 200 401 200",
  "POST /calendars": "201 201 403 201 201 401 201",
  "PUT /calendars/{id}": "200 200 403 200 200 401 404",
  "POST /calendars/{id}/import": "200 200 403 200 200 401 404",
  "DELETE /calendars/{id}": "200 200 403 200 200 401 404",
  "GET /workorders": "200 200 200 200 200 401 200",
  "POST /workorders": "201 201 201 201 403 401 422",
  "PUT /workorders/{id}": "200 200 200 200 403 401 404",
  "DELETE /workorders/{id}": "200 200 403 200 403 401 404",
  "GET /departments": "200 200 200 200 200 401 200",
  "POST /departments": "201 403 403 201 403 401 201",
  "PUT /departments/{id}": "200 403 403 200 403 401 404",
  "DELETE /departments/{id}": "200 403 403 200 403 401 404",
  "GET /departments/{id}/members": "200 403 403 200 403 401 404",
  "POST /departments/{id}/members": "201 403 403 201 403 401 404",
  "DELETE /departments/{id}/members/{user_id}": "200 403 403 200 403 401 404",
  "GET /messages/mine": "200 200 200 200 200 401 200",
  "PUT /messages/mine": "200 200 200 200 200 401 200",
  "POST /messages/mine/test": "200 200 200 200 200 401 200",
  "GET /messages/people": "200 200 403 200 200 401 200",
  "GET /users": "200 200 200 200 200 401 200",
  "POST /users": "201 403 403 201 403 401 201",
  "PUT /users/{id}": "200 403 403 200 403 401 404",
  "DELETE /users/{id}": "200 403 403 200 403 401 404",
  "POST /users/{id}/password": "200 403 403 200 403 401 404",
  "GET /forecast": "200 200 200 200 200 401 404",
  "GET /nights": "200 200 200 200 200 401 404",
  "GET /history/events": "200 200 200 200 200 401 200",
  "GET /scheduler/events": "200 200 200 200 200 401 200",
  "GET /admin/agents": "200 200 403 200 200 401 200",
  "POST /admin/agents": "201 403 403 201 403 401 201",
  "PUT /admin/agents/{id}": "200 403 403 200 403 401 404",
  "POST /admin/agents/{id}/rotate": "200 403 403 200 403 401 404",
  "POST /admin/agents/{id}/revoke": "200 403 403 200 403 401 404",
  "DELETE /admin/agents/{id}": "200 403 403 200 403 401 404",
  "GET /admin/audit-logs": "200 403 403 200 403 401 200",
  "GET /admin/notifications": "200 200 403 200 200 401 200",
  "GET /admin/connectivity/logs": "200 200 403 200 200 401 200",
  "POST /admin/connectivity/ping-hub": "200 200 403 200 200 401 422",
  "POST /admin/connectivity/status": "200 200 403 200 200 401 422",
  "POST /admin/connectivity/action": "200 200 403 200 403 401 422",
  "GET /admin/webhooks": "200 403 403 200 403 401 200",
  "POST /admin/webhooks": "201 403 403 201 403 401 201",
  "PUT /admin/webhooks/{id}": "200 403 403 200 403 401 404",
  "POST /admin/webhooks/{id}/rotate": "200 403 403 200 403 401 404",
  "POST /admin/webhooks/{id}/test": "200 403 403 200 403 401 404",
  "DELETE /admin/webhooks/{id}": "200 403 403 200 403 401 404",
  "GET /admin/webhooks/deliveries": "200 403 403 200 403 401 200",
  "POST /admin/webhooks/deliveries/{id}/send": "200 403 403 200 403 401 404",
  "GET /admin/policies": "200 403 403 200 403 401 200",
  "PUT /admin/policies/{scope}/{id}": "200 403 403 200 403 401 404",
  "DELETE /admin/policies/{scope}/{id}": "200 403 403 200 403 401 404",
  "GET /admin/settings": "200 403 403 200 403 401 200",
  "POST /admin/settings": "200 403 403 200 403 401 200",
  "GET /admin/settings/messages": "200 403 403 200 403 401 200",
  "POST /admin/settings/messages": "200 403 403 200 403 401 200",
  "POST /admin/settings/messages/test": "200 403 403 200 403 401 200",
  "GET /admin/settings/guardrails": "200 403 403 200 403 401 200",
  "POST /admin/settings/guardrails": "200 403 403 200 403 401 200",
};

let document: Document;

beforeAll(async () => {
  await anOrganization("city");
  await anOrganization("harbor");
  await aPerson("admin", { city: "admin" });
  await aPerson("manager", { city: "manager" });
  await aPerson("employee", { city: "employee" });
  await aPerson("org_admin", { city: "org_admin" });
  await aPerson("auditor", { city: "manager" });
  await aPerson("stranger", { harbor: "admin" });
  await env.DB.batch([
    env.DB.prepare("INSERT INTO departments (id, org_id, name) VALUES ('sports', 'city', 'Sports')"),
    env.DB.prepare(
      `INSERT INTO dept_memberships (id, org_id, dept_id, user_id, role) VALUES
       ('m', 'city', 'sports', 'manager', 'dept_staff'), ('e', 'city', 'sports', 'employee', 'dept_staff'),
       ('a', 'city', 'sports', 'auditor', 'dept_auditor')`,
    ),
  ]);
  document = await published();
});

const names = Object.keys(CONTRACT).filter((name): name is CallName => name in MATRIX);
const cells = (name: CallName) =>
  MATRIX[name].split(" ").map((status, i) => ({ who: PEOPLE[i] ?? "nobody", status: Number(status) }));
const contract: Record<CallName, Call> = CONTRACT;

/** A session of its own for each call, since some calls end it. */
const tokenOf = (who: Person) => (who === "nobody" ? Promise.resolve(undefined) : sessionOf(who));

async function prepare(name: CallName, who: Person, place: Place) {
  const one = example(name, place, `${who}@parks.example`);
  const { method, path } = address(name, one);
  const token = await tokenOf(who);
  const send = (headers: Record<string, string> = {}) =>
    call(method, path, { ...(token ? { token } : {}), body: one.body, headers });
  return { one, send };
}

test("the matrix has every call of the contract and every person in each row", () => {
  expect(Object.keys(MATRIX).toSorted()).toEqual(Object.keys(CONTRACT).toSorted());
  for (const name of names) expect([name, cells(name).length]).toEqual([name, PEOPLE.length]);
});

test.each(names)("%s: the contract says who may, as the matrix does", (name) => {
  const { may } = contract[name];
  const isSignedIn = may !== "anyone" && name !== "POST /auth/login";
  const may_not = cells(name).flatMap(({ who, status }) => (status === 403 || status === 401 ? [who] : []));
  const roles: Role[] = ["admin", "manager", "employee"];
  // Of work orders an employee deletes those that they made, and the matrix's is another's.
  const asked = name === "DELETE /workorders/{id}" ? "workorder.delete_any" : may;
  const without = asked === "anyone" || asked === "signed in" ? [] : roles.filter((role) => !can({ role }, asked));
  expect(may_not.filter((who) => roles.some((role) => role === who))).toEqual(without);
  expect(may_not.includes("nobody")).toBe(isSignedIn || name === "POST /auth/login");
});

// Refused calls come first, while the engine sleeps, so that nothing else changes the tables.
describe("refused, and nothing changed", () => {
  // One for all of them, since none changes it; each snapshot reads every row.
  let place: Place;
  beforeAll(async () => {
    place = await aPlace();
  });

  test.each(names.filter((name) => cells(name).some(({ status }) => status >= 400)))("%s", async (name) => {
    const refused = cells(name).filter(({ status }) => status >= 400);
    const prepared = [];
    for (const cell of refused) prepared.push({ ...cell, ...(await prepare(name, cell.who, place)) });
    let before = await snapshot();
    for (const { who, status: expected, send } of prepared) {
      const { status, json } = await send();
      expect({ who, status }).toEqual({ who, status: expected });
      expect({ who, misfit: misfit(document, name, status, json) }).toEqual({ who, misfit: null });
      if (status === 403) expect(json.detail).toBe("Permission denied");
      const after = await snapshot();
      if (name !== "POST /auth/login") expect(after).toEqual(before);
      before = after;
    }
  });

  test.each(names.filter((name) => contract[name].if_match))("%s from a stale copy", async (name) => {
    const { send } = await prepare(name, "admin", place);
    const before = await snapshot();
    const { status, json } = await send({ "If-Match": "99" });
    expect(status).toBe(409);
    expect(json.detail).toMatch(/^This \w+ was changed by someone else meanwhile\. Reload and try again\.$/);
    expect(await snapshot()).toEqual(before);
  });
});

describe("allowed, answered as documented, and audited once", () => {
  let place: Place;
  beforeAll(async () => {
    place = await aPlace();
  });

  // Those that only read come first, while there is little to list, and share a place.
  const isRead = (name: string) => name.startsWith("GET");
  const ordered = names.toSorted((a, b) => Number(isRead(b)) - Number(isRead(a)));
  test.each(ordered)("%s", async (name) => {
    const reads = isRead(name);
    for (const { who, status: expected } of cells(name)) {
      if (expected >= 400) continue;
      if (!reads) place = await aPlace();
      const { one, send } = await prepare(name, who, place);
      const [last] = await rows("SELECT max(rowid) AS entry FROM audit_logs");
      const { status, json } = await send();
      expect({ who, status, json }).toMatchObject({ who, status: expected });
      expect({ who, misfit: misfit(document, name, status, json) }).toEqual({ who, misfit: null });
      expect(misfitBody(document, name, one.body)).toBeNull();

      const entries = await rows("SELECT * FROM audit_logs WHERE rowid > ?", last?.["entry"] ?? 0);
      if (!reads) expect([name, one.audit]).not.toEqual([name, undefined]);
      expect(entries.map((entry) => `${entry["action"]} ${entry["resource_type"]}`)).toEqual(
        one.audit ? [one.audit] : [],
      );
      for (const entry of entries) {
        const role = who === "org_admin" || who === "stranger" ? "admin" : who === "auditor" ? "manager" : who;
        const org_id = who === "stranger" ? "harbor" : "city";
        expect(entry).toMatchObject({ org_id, actor_id: who, actor_email: `${who}@parks.example`, actor_role: role });
        const details = JSON.parse(String(entry["details"]));
        expect(Object.keys(details)).toEqual(TOLD[String(entry["action"])] ?? ["address"]);
        // As it is stored now, and not as it was sent.
        const version: unknown = Object(json?.data).version;
        if (details.after && "version" in details.after && version !== undefined)
          expect(details.after.version).toBe(version);
      }
    }
  });

  /** The details that an entry must have, by action. */
  const TOLD: Record<string, string[]> = {
    acknowledge: ["before", "after"],
    acknowledge_all: ["after"],
    apply: ["after"],
    send: ["after"],
    assign: ["before", "after"],
    create: ["after"],
    update: ["before", "after"],
    cancel: ["before", "after"],
    skip: ["before", "after"],
    unskip: ["before", "after"],
    import: ["before", "after"],
    delete: ["before"],
    toggle: ["after"],
    reset_password: ["before", "after"],
    revoke: ["before", "after"],
    rotate: ["before", "after"],
    test: ["after"],
  };
});

test("no audit entry has a secret, and no secret is stored as it was sent", async () => {
  const kept = JSON.stringify(await everything());
  expect(kept).not.toContain(SECRET);
  expect(kept).not.toContain(PASSWORD);
});

test("an audit entry can be neither changed nor deleted, except by retention", async () => {
  const before = await rows("SELECT * FROM audit_logs");
  expect(before.length).toBeGreaterThan(50);
  for (const statement of [
    "UPDATE audit_logs SET action = 'x'",
    "UPDATE audit_logs SET details = NULL WHERE actor_id = 'admin'",
    "DELETE FROM audit_logs",
    "REPLACE INTO audit_logs (id, org_id, action, resource_type) SELECT id, org_id, 'x', 'x' FROM audit_logs",
  ]) {
    await expect(env.DB.prepare(statement).run(), statement).rejects.toThrow(/audit entries cannot be/);
  }
  expect(await rows("SELECT * FROM audit_logs")).toEqual(before);
  await env.DB.prepare(
    "INSERT INTO audit_logs (id, org_id, action, resource_type, created_at) VALUES ('old', 'city', 'x', 'x', '2020-01-01T00:00:00.000Z')",
  ).run();
  await env.DB.prepare("DELETE FROM audit_logs WHERE id = 'old'").run();
  expect(await rows("SELECT * FROM audit_logs")).toEqual(before);
});
