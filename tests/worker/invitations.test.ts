import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { sessionService } from "#worker/auth/session";
import { authDeps, sessionsFor } from "#worker/wiring";
import {
  anOrganization,
  aPerson,
  bindings,
  call,
  logIn,
  ORIGIN,
  PASSWORD,
  rows,
  sessionOf,
  whileFull,
} from "../support/door";
import { interruptedBy } from "../support/interrupted";

beforeAll(async () => {
  await anOrganization("city");
  await anOrganization("harbor");
  await aPerson("ada", { city: "org_admin" });
  await aPerson("hal", { harbor: "org_admin" });
  await aPerson("liz", { city: "admin" });
});

const NEW_PASSWORD = "seven lamps by the river";

async function invite(who: string, email: string, role = "employee") {
  const { status, json } = await call("POST", "/users", { token: await sessionOf(who), body: { email, role } });
  if (status !== 201) throw new Error(JSON.stringify(json));
  return json.data;
}
const setPassword = (token: string, new_password = NEW_PASSWORD) =>
  call("PUT", "/auth/password", { token, body: { new_password } });
const redeem = (token: string, code: string) => call("POST", "/auth/redeem", { token, body: { code } });
const organizationsOf = (json: { org_memberships: { org_id: string }[] }) =>
  json.org_memberships.map(({ org_id }) => org_id);

test("one organization's code cannot take over another organization's invited admin", async () => {
  const squatted = await invite("hal", "new.hire@parks.example");
  await invite("ada", "new.hire@parks.example", "org_admin");
  const first = await logIn("new.hire@parks.example", squatted.one_time_password);
  expect(organizationsOf(first.json.user)).toEqual(["harbor"]);
  const { json } = await setPassword(first.json.access_token);
  const me = await call("GET", "/auth/me", { token: json.access_token });
  expect(organizationsOf(me.json)).toEqual(["harbor"]);
  expect(me.json).toMatchObject({ current_org_id: "harbor", role: "employee" });
  expect((await call("GET", "/users", { token: await sessionOf("liz") })).json.data).toContainEqual(
    expect.objectContaining({ email: "new.hire@parks.example", pending: true }),
  );
});

test("an invitation's answer is the same whether or not the e-mail is known", async () => {
  await aPerson("known", { harbor: "manager" });
  const [fresh, known] = [await invite("ada", "fresh@parks.example"), await invite("ada", "known@parks.example")];
  expect(Object.keys(known)).toEqual(Object.keys(fresh));
  for (const { one_time_password, pending } of [fresh, known]) {
    expect(one_time_password).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    expect(pending).toBe(true);
  }
  // Nor is the first one's code gone with the second invitation.
  expect((await logIn("fresh@parks.example", fresh.one_time_password)).status).toBe(200);
});

test("a newcomer signs in with the code and must set a password first", async () => {
  const { one_time_password: code } = await invite("ada", "newcomer@parks.example", "admin");
  const { status, json } = await logIn("newcomer@parks.example", ` ${code.toUpperCase()} `);
  expect(status).toBe(200);
  expect(json.user).toMatchObject({ role: "admin", current_org_id: "city", must_change_password: true });
  const token = json.access_token;
  expect((await call("GET", "/auth/me", { token })).json).toEqual(json.user);
  for (const [method, path] of [
    ["GET", "/users"],
    ["GET", "/areas"],
    ["PUT", "/areas/nothing"],
    ["POST", "/auth/switch-dept"],
    ["GET", "/admin/settings"],
    ["POST", "/auth/redeem"],
    ["GET", "/auth/sessions"],
  ] as const) {
    const answer = await call(method, path, { token });
    expect({ path, status: answer.status, json: answer.json }).toEqual({
      path,
      status: 403,
      json: { detail: "Change your password first" },
    });
  }
  const changed = await setPassword(token);
  expect(changed.status).toBe(200);
  const me = await call("GET", "/auth/me", { token: changed.json.access_token });
  expect(me.json).not.toHaveProperty("must_change_password");
  expect((await call("GET", "/users", { token: changed.json.access_token })).status).toBe(200);
  expect((await logIn("newcomer@parks.example", NEW_PASSWORD)).status).toBe(200);
  expect((await logIn("newcomer@parks.example", code)).status).toBe(401);
});

test("a first password that fails in the middle leaves the code as it was", async () => {
  const { one_time_password: code } = await invite("ada", "half@parks.example");
  const { json } = await logIn("half@parks.example", code);
  await whileFull("audit_logs", async () => {
    expect((await setPassword(json.access_token)).status).toBe(500);
  });
  expect((await logIn("half@parks.example", code)).status).toBe(200);
  expect((await setPassword(json.access_token)).status).toBe(200);
  expect((await logIn("half@parks.example", NEW_PASSWORD)).status).toBe(200);
});

test("a code cannot be set as the password, and its session can sign out", async () => {
  const { one_time_password: code } = await invite("ada", "itself@parks.example");
  const { json } = await logIn("itself@parks.example", code);
  const refused = await setPassword(json.access_token, code);
  expect(refused.status).toBe(422);
  expect(refused.json.errors).toHaveProperty("new_password");
  expect((await call("POST", "/auth/logout", { token: json.access_token })).status).toBe(200);
});

test("a code expires after 72 hours, also within a session that it opened", async () => {
  const { one_time_password: code, id } = await invite("ada", "late@parks.example");
  const [kept] = await rows("SELECT * FROM one_time_codes WHERE user_id = ?", id);
  const hours = (Date.parse(String(kept?.["expires_at"])) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(71.9);
  expect(hours).toBeLessThanOrEqual(72);
  expect(JSON.stringify(kept)).not.toContain(code);
  const { json } = await logIn("late@parks.example", code);
  await env.DB.prepare("UPDATE one_time_codes SET expires_at = '2020-01-01T00:00:00.000Z' WHERE user_id = ?")
    .bind(id)
    .run();
  expect((await logIn("late@parks.example", code)).status).toBe(401);
  expect((await setPassword(json.access_token)).status).toBe(409);
});

test("somebody with an account redeems the code once, signed in; until then the membership opens nothing", async () => {
  await aPerson("bea", { harbor: "employee" });
  const { one_time_password: code } = await invite("ada", "bea@parks.example", "manager");
  expect((await logIn("bea@parks.example", code)).status).toBe(401);
  const { json } = await logIn("bea@parks.example", PASSWORD);
  expect(organizationsOf(json.user)).toEqual(["harbor"]);
  const token = json.access_token;
  expect((await redeem(token, "aaaa-bbbb-cccc-dddd")).json).toMatchObject({
    detail: "This code is not valid or has expired",
    errors: { code: expect.any(String) },
  });
  expect((await redeem(await sessionOf("hal"), code)).status).toBe(422);
  expect((await redeem(token, code)).json).toEqual({
    data: { org_id: "city", org_name: "city parks", role: "manager" },
  });
  expect(organizationsOf((await call("GET", "/auth/me", { token })).json).toSorted()).toEqual(["city", "harbor"]);
  expect((await redeem(token, code)).status).toBe(422);
  expect((await logIn("bea@parks.example", PASSWORD)).status).toBe(200);
  const entries = await rows("SELECT action, actor_role FROM audit_logs WHERE org_id = 'city' AND actor_id = 'bea'");
  expect(entries).toContainEqual({ action: "redeem", actor_role: "manager" });
});

test("somebody with an account but no organization signs in with their password and redeems the code", async () => {
  await aPerson("idle", {});
  expect((await logIn("idle@parks.example")).status).toBe(401);
  const { one_time_password: code } = await invite("ada", "idle@parks.example", "manager");
  const { status, json } = await logIn("idle@parks.example");
  expect(status).toBe(200);
  expect(json.user.must_redeem_code).toBe(true);
  expect((await call("GET", "/areas", { token: json.access_token })).json).toEqual({
    detail: "Enter your invitation code first",
  });
  expect((await redeem(json.access_token, code)).status).toBe(200);
  expect((await call("GET", "/areas", { token: json.access_token })).status).toBe(200);
});

test("somebody whom two organizations invited may enter either code first", async () => {
  for (const first of ["ada", "hal"]) {
    const email = `both-${first}@parks.example`;
    await aPerson(`both-${first}`, {});
    const codes = { ada: await invite("ada", email), hal: await invite("hal", email) };
    const token = (await logIn(email)).json.access_token;
    const [one, other] = first === "ada" ? [codes.ada, codes.hal] : [codes.hal, codes.ada];
    const org_id = first === "ada" ? "city" : "harbor";
    expect((await redeem(token, one.one_time_password)).json).toMatchObject({ data: { org_id } });
    expect((await redeem(token, other.one_time_password)).status).toBe(200);
    expect(organizationsOf((await call("GET", "/auth/me", { token })).json).toSorted()).toEqual(["city", "harbor"]);
  }
});

test("a new code invalidates the older one and ends the session that it opened", async () => {
  const first = await invite("ada", "again@parks.example");
  const { json } = await logIn("again@parks.example", first.one_time_password);
  const renewed = await call("POST", `/users/${first.id}/password`, { token: await sessionOf("ada") });
  expect(renewed.json.data).toMatchObject({ pending: true });
  expect((await call("GET", "/auth/me", { token: json.access_token })).status).toBe(401);
  expect((await logIn("again@parks.example", first.one_time_password)).status).toBe(401);
  expect((await logIn("again@parks.example", renewed.json.data.one_time_password)).status).toBe(200);
});

test("of two organizations' codes only the first to be redeemed sets the password", async () => {
  const [city, harbor] = [await invite("ada", "race@parks.example"), await invite("hal", "race@parks.example")];
  const sessions = [
    await logIn("race@parks.example", city.one_time_password),
    await logIn("race@parks.example", harbor.one_time_password),
  ];
  const both = await Promise.all(
    sessions.map(({ json }, i) => setPassword(json.access_token, `${NEW_PASSWORD} and ${i}`)),
  );
  const statuses = both.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
});

test("a code that has been replaced while its person sets a first password sets none", async () => {
  const { one_time_password: code } = await invite("ada", "overtaken@parks.example");
  const token = (await logIn("overtaken@parks.example", code)).json.access_token;
  await rows(
    "CREATE TRIGGER replaced BEFORE UPDATE OF password_hash ON users BEGIN DELETE FROM one_time_codes WHERE user_id = NEW.id; END",
  );
  const { status, json } = await setPassword(token).finally(() => rows("DROP TRIGGER replaced"));
  expect({ status, json }).toEqual({
    status: 409,
    json: { detail: "This code is no longer valid. Ask for a new one" },
  });
  expect(await rows("SELECT password_hash FROM users WHERE email = 'overtaken@parks.example'")).toEqual([
    { password_hash: "" },
  ]);
});

test("a code sets no password where another one has set it at that moment", async () => {
  const { one_time_password: code } = await invite("ada", "beaten@parks.example");
  const token = (await logIn("beaten@parks.example", code)).json.access_token;
  const theirs = "UPDATE users SET password_hash = 'theirs' WHERE email = 'beaten@parks.example'";
  const request = new Request(ORIGIN);
  const late = sessionService({ ...authDeps(bindings(), request), db: interruptedBy(theirs) });
  const session = await sessionsFor(bindings(), request).find(token, "bearer");
  await expect(late.changePassword(session, { new_password: NEW_PASSWORD })).rejects.toMatchObject({
    code: "conflict",
    detail: "This account has a password already. Sign in with it",
  });
  expect(await rows("SELECT password_hash FROM users WHERE email = 'beaten@parks.example'")).toEqual([
    { password_hash: "theirs" },
  ]);
});

test("a code that is sent twice at once is redeemed once", async () => {
  await aPerson("eager", { harbor: "manager" });
  const { one_time_password: code } = await invite("ada", "eager@parks.example");
  const token = await sessionOf("eager");
  const both = await Promise.all([redeem(token, code), redeem(token, code)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  const told = await rows("SELECT id FROM audit_logs WHERE actor_id = 'eager' AND action = 'redeem'");
  expect(told).toHaveLength(1);
});

test("who was deactivated before they redeemed their code is refused, and has not joined all the same", async () => {
  await aPerson("withdrawn", { harbor: "employee" });
  const { one_time_password: code } = await invite("ada", "withdrawn@parks.example");
  const activate = async (active: boolean) =>
    call("PUT", "/users/withdrawn", { token: await sessionOf("ada"), body: { active } });
  const kept = () =>
    rows("SELECT pending, active FROM org_memberships WHERE org_id = 'city' AND user_id = 'withdrawn'");
  await activate(false);
  const token = await sessionOf("withdrawn");
  expect((await redeem(token, code)).json).toMatchObject({ detail: "This code is not valid or has expired" });
  expect(await kept()).toEqual([{ pending: 1, active: 0 }]);
  expect(await rows("SELECT action FROM audit_logs WHERE org_id = 'city' AND actor_id = 'withdrawn'")).toEqual([]);
  await activate(true);
  expect((await redeem(token, code)).status).toBe(200);
  expect(await kept()).toEqual([{ pending: 0, active: 1 }]);
});

test("another organization's invitation neither blocks a password reset nor shows in its answer", async () => {
  await aPerson("lost", { city: "employee" });
  await invite("hal", "lost@parks.example", "org_admin");
  const reset = await call("POST", "/users/lost/password", { token: await sessionOf("ada") });
  expect(reset.status).toBe(200);
  expect((await logIn("lost@parks.example")).status).toBe(401);
  const { json } = await logIn("lost@parks.example", reset.json.data.one_time_password);
  expect(json.user.must_change_password).toBe(true);
  expect(organizationsOf(json.user)).toEqual(["city"]);
});

test("another organization's invitation opens no account whose password was reset", async () => {
  await aPerson("locked", { city: "admin" });
  const { one_time_password: theirs } = await invite("hal", "locked@parks.example");
  const reset = await call("POST", "/users/locked/password", { token: await sessionOf("ada") });
  const { one_time_password: own } = reset.json.data;
  expect((await logIn("locked@parks.example", theirs)).status).toBe(401);
  const { json } = await logIn("locked@parks.example", own);
  const changed = await setPassword(json.access_token);
  expect((await redeem(changed.json.access_token, theirs)).status).toBe(200);
});

test("only the operator resets the password of a member of two organizations", async () => {
  await aPerson("twice", { city: "employee", harbor: "employee" });
  const { status, json } = await call("POST", "/users/twice/password", { token: await sessionOf("ada") });
  expect({ status, json }).toEqual({
    status: 409,
    json: { detail: "Only the operator of this service can reset this password" },
  });
  expect((await logIn("twice@parks.example")).status).toBe(200);
});

test("removing a membership removes its departments, sessions and code, but not the account", async () => {
  await aPerson("leaver", { city: "employee", harbor: "employee" });
  await env.DB.prepare("INSERT INTO departments (id, org_id, name) VALUES ('trees', 'city', 'Trees')").run();
  await env.DB.prepare(
    "INSERT INTO dept_memberships (id, org_id, dept_id, user_id, role) VALUES ('l', 'city', 'trees', 'leaver', 'dept_staff')",
  ).run();
  const theirs = await sessionOf("leaver");
  const remove = async () => call("DELETE", "/users/leaver", { token: await sessionOf("ada") });
  expect((await remove()).json).toEqual({ success: true });
  expect((await remove()).status).toBe(404);
  expect((await call("GET", "/auth/me", { token: theirs })).status).toBe(401);
  expect(await rows("SELECT * FROM dept_memberships WHERE user_id = 'leaver'")).toEqual([]);
  expect(organizationsOf((await logIn("leaver@parks.example")).json.user)).toEqual(["harbor"]);
  expect(
    await rows("SELECT action FROM audit_logs WHERE resource_id = 'leaver' AND resource_type = 'user'"),
  ).toContainEqual({ action: "delete" });
});

test("parallel invitations of one e-mail create one membership", async () => {
  const token = await sessionOf("ada");
  const both = await Promise.all(
    [1, 2, 3].map(() => call("POST", "/users", { token, body: { email: "double@parks.example" } })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
});

test("only an organization admin changes, resets, removes or creates one; the last one stays", async () => {
  await aPerson("top", { city: "org_admin" });
  const admin = await sessionOf("liz");
  for (const [method, path, body] of [
    ["PUT", "/users/top", { role: "employee" }],
    ["PUT", "/users/top", { active: false }],
    ["POST", "/users/top/password", undefined],
    ["DELETE", "/users/top", undefined],
    ["PUT", "/users/liz", { role: "org_admin" }],
    ["POST", "/users", { email: "another@parks.example", role: "org_admin" }],
  ] as const) {
    const { status, json } = await call(method, path, { token: admin, body });
    expect({ method, path, status, json }).toEqual({
      method,
      path,
      status: 403,
      json: { detail: "Permission denied" },
    });
  }
  const token = await sessionOf("ada");
  expect((await call("PUT", "/users/top", { token, body: { role: "admin" } })).status).toBe(200);
  for (const [method, body] of [
    ["PUT", { role: "admin" }],
    ["PUT", { active: false }],
    ["DELETE", undefined],
  ] as const) {
    expect(await call(method, "/users/ada", { token, body })).toMatchObject({
      status: 409,
      json: { detail: "An organization needs at least one organization admin" },
    });
  }
});

test("audits a wrong current password", async () => {
  await aPerson("clumsy", { city: "employee" });
  const body = { current_password: "not it at all", new_password: NEW_PASSWORD };
  expect((await call("PUT", "/auth/password", { token: await sessionOf("clumsy"), body })).status).toBe(422);
  expect(await rows("SELECT action, org_id FROM audit_logs WHERE actor_id = 'clumsy'")).toEqual([
    { action: "change_password_failed", org_id: "city" },
  ]);
});
