import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { hashPassword } from "#worker/auth/password";
import { sessionService } from "#worker/auth/session";
import { signToken, verifyToken } from "#worker/auth/token";
import { authDeps } from "#worker/wiring";
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
  tokenOf,
  whileFull,
} from "../support/door";
import { interruptedBy, interruptedFrom } from "../support/interrupted";
import { quickHash } from "../support/quick-hash";

beforeAll(async () => {
  await anOrganization("city");
  await anOrganization("harbor");
  await aPerson("ada", { city: "org_admin" });
  await aPerson("eve", { city: "employee", harbor: "admin" });
  await aPerson("gone", { city: "employee" });
  await env.DB.batch([
    env.DB.prepare("UPDATE org_memberships SET active = 0 WHERE user_id = 'gone'"),
    env.DB.prepare(
      "INSERT INTO departments (id, org_id, name) VALUES ('sports', 'city', 'Sports'), ('rivers', 'city', 'Rivers'), ('docks', 'harbor', 'Docks')",
    ),
    env.DB.prepare(
      "INSERT INTO dept_memberships (id, org_id, dept_id, user_id, role) VALUES ('m', 'city', 'sports', 'eve', 'dept_staff')",
    ),
  ]);
});

const me = (token?: string) => call("GET", "/auth/me", token ? { token } : {});

test("a sign-in returns a token and the user and sets the page's cookie", async () => {
  const { status, json, headers } = await logIn("  Ada@Parks.example ");
  expect(status).toBe(200);
  expect(json).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    token_type: "bearer",
    user: {
      id: "ada",
      email: "ada@parks.example",
      role: "admin",
      org_role: "org_admin",
      current_org_id: "city",
      current_dept_id: null,
      org_memberships: [{ org_id: "city", org_name: "city parks", role: "org_admin" }],
      dept_memberships: [],
    },
  });
  const cookie = headers.get("Set-Cookie") ?? "";
  expect(cookie).toMatch(/^__Host-lamplighter_session=[\w-]+\.[\w-]+\.[\w-]+;/);
  expect(cookie).not.toContain(json.access_token);
  for (const attribute of ["HttpOnly", "SameSite=Lax", "Path=/", "Secure"])
    expect(cookie.split("; ")).toContain(attribute);
  expect((await me(json.access_token)).json).toEqual(json.user);
});

test("the token lasts 12 hours and names the user, the organization and the session", async () => {
  const claims = await verifyToken(env.SESSION_SECRET, await tokenOf("ada@parks.example"));
  expect(claims).toMatchObject({ sub: "ada", org: "city", dept: null });
  const hours = ((claims?.exp ?? 0) * 1000 - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(11.9);
  expect(hours).toBeLessThanOrEqual(12);
  expect(await rows("SELECT user_id FROM sessions WHERE id = ?", claims?.sid)).toEqual([{ user_id: "ada" }]);
});

test.each([
  ["a wrong password", "ada@parks.example", "not her password"],
  ["an unknown e-mail", "nobody@parks.example", PASSWORD],
  ["a deactivated person", "gone@parks.example", PASSWORD],
])("%s gets the same answer as any other failure", async (_, email, password) => {
  const { status, json, headers } = await logIn(email, password);
  expect({ status, json }).toEqual({ status: 401, json: { detail: "Incorrect email or password" } });
  expect(headers.get("Set-Cookie")).toBeNull();
});

test("an unknown e-mail takes as long as a wrong password", async () => {
  await aPerson("timed", { city: "employee" }, await hashPassword(PASSWORD));
  const shortest = { "timed@parks.example": Infinity, "nobody@parks.example": Infinity };
  const ratio = () => shortest["nobody@parks.example"] / shortest["timed@parks.example"];
  const isAlike = () => ratio() > 0.5 && ratio() < 2;
  // In turn, and the shortest of each: what a busy machine does meanwhile lengthens some, sooner or later not all.
  for (let i = 0; i < 40 && !isAlike(); i++)
    for (const email of ["timed@parks.example", "nobody@parks.example"] as const) {
      const started = performance.now();
      expect((await logIn(email, "not the password")).status).toBe(401);
      shortest[email] = Math.min(shortest[email], performance.now() - started);
    }
  expect(ratio()).toBeGreaterThan(0.5);
  expect(ratio()).toBeLessThan(2);
});

test.each([
  [{}, "Email is required"],
  [{ email: "ada@parks.example" }, "Password is required"],
  [{ email: "ada", password: "x" }, "Please enter a valid email address"],
  [{ email: ["ada@parks.example"], password: "x" }, "Email is required"],
  [{ email: "ada@parks.example", password: { $ne: 1 } }, "Password is required"],
  [{ email: "ada@parks.example", password: "x".repeat(2000) }, "Password is too long"],
  [{ email: `${"a".repeat(300)}@parks.example`, password: "x" }, "Please enter a valid email address"],
  [[], "The request body must be a JSON object"],
  ["null", "The request body must be a JSON object"],
])("refuses the sign-in %j with '%s'", async (body: unknown, detail) => {
  const { status, json } = await call("POST", "/auth/login", { body });
  expect(status).toBe(422);
  expect(json.detail).toBe(detail);
});

test("after 5 failures for an e-mail from one address, even the right password must wait", async () => {
  await aPerson("five", { city: "employee" });
  const fail = () => logIn("five@parks.example", "wrong", "198.51.100.5");
  for (let i = 0; i < 5; i++) expect((await fail()).status).toBe(401);
  for (const answer of [await fail(), await logIn("five@parks.example", PASSWORD, "198.51.100.5")]) {
    expect(answer.status).toBe(429);
    expect(answer.json).toEqual({ detail: "Too many sign-in attempts. Try again in 15 minutes." });
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(14 * 60);
    expect(Number(answer.headers.get("Retry-After"))).toBeLessThanOrEqual(15 * 60);
  }
  expect((await logIn("five@parks.example", PASSWORD, "198.51.100.6")).status).toBe(200);
  expect((await logIn("eve@parks.example", PASSWORD, "198.51.100.5")).status).toBe(200);
});

test("limits an unknown e-mail like any other", async () => {
  const fail = () => logIn("ghost@parks.example", "wrong", "198.51.100.7");
  for (let i = 0; i < 5; i++) expect((await fail()).status).toBe(401);
  expect((await fail()).status).toBe(429);
});

test("the wait is counted from the fifth last failure and ends", async () => {
  await aPerson("waiter", { city: "employee" });
  const at = new Date(Date.now() - 14.2 * 60_000).toISOString();
  const add = env.DB.prepare(
    "INSERT INTO login_attempts (email, address, at) VALUES ('waiter@parks.example', '198.51.100.8', ?)",
  );
  await env.DB.batch(Array.from({ length: 5 }, () => add.bind(at)));
  expect((await logIn("waiter@parks.example", PASSWORD, "198.51.100.8")).json.detail).toContain("in 1 minute.");
  await env.DB.prepare("UPDATE login_attempts SET at = ? WHERE address = '198.51.100.8'")
    .bind(new Date(Date.now() - 15.1 * 60_000).toISOString())
    .run();
  expect((await logIn("waiter@parks.example", PASSWORD, "198.51.100.8")).status).toBe(200);
});

test("limits an address to 50 failures over all accounts; an IPv6 network counts as one address", async () => {
  const add = env.DB.prepare("INSERT INTO login_attempts (email, address, at) VALUES (?, '2001:db8:0:0::/64', ?)");
  const at = new Date().toISOString();
  await env.DB.batch(Array.from({ length: 50 }, (_, i) => add.bind(`p${i}@parks.example`, at)));
  expect((await logIn("ada@parks.example", PASSWORD, "2001:db8::1")).status).toBe(429);
  expect((await logIn("ada@parks.example", PASSWORD, "2001:db8:0:0:9::2")).status).toBe(429);
  expect((await logIn("ada@parks.example", PASSWORD, "2001:db8:0:1::1")).status).toBe(200);
});

test("signing out ends all of the session's tokens and clears the cookie", async () => {
  const token = await tokenOf("eve@parks.example");
  const chosen = (await call("POST", "/auth/switch-dept?dept_id=sports", { token })).json.access_token;
  const { status, json, headers } = await call("POST", "/auth/logout", { token });
  expect({ status, json }).toEqual({ status: 200, json: { success: true } });
  expect(headers.get("Set-Cookie")).toMatch(/^__Host-lamplighter_session=; Max-Age=0;/);
  expect((await me(token)).status).toBe(401);
  expect((await me(chosen)).status).toBe(401);
});

test("the API accepts the cookie neither as such nor as a bearer token", async () => {
  const cookie = await sessionOf("ada", "cookie");
  const headers = { Cookie: `__Host-lamplighter_session=${cookie}` };
  expect((await call("GET", "/auth/me", { headers })).status).toBe(401);
  expect((await call("GET", "/auth/me", { token: cookie })).status).toBe(401);
});

const forged = (header: object, payload: object, signature = "") => {
  const part = (value: object) =>
    btoa(JSON.stringify(value)).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_");
  return `${part(header)}.${part(payload)}.${signature}`;
};

test("refuses a forged, altered, expired or malformed token", async () => {
  const good = await sessionOf("ada");
  const claims = await verifyToken(env.SESSION_SECRET, good);
  if (!claims) throw new Error("the good token is not good");
  const [head = "", payload = "", signature = ""] = good.split(".");
  const named = { ...claims, iss: "lamplighter" };
  const elsewhere = { ...claims, org: "harbor" };
  const tokens = [
    forged({ alg: "none", typ: "JWT" }, named),
    forged({ alg: "none", typ: "JWT" }, named, signature),
    forged({ alg: "HS512", typ: "JWT" }, named, signature),
    forged({ alg: "RS256", typ: "JWT" }, named, signature),
    await signToken("another secret of more than thirty-two characters", claims),
    await signToken(env.SESSION_SECRET, { ...claims, exp: Math.floor(Date.now() / 1000) - 1 }),
    await signToken(env.SESSION_SECRET, { ...claims, sub: "eve" }),
    await signToken(env.SESSION_SECRET, { ...claims, sid: "no such session" }),
    await signToken(env.SESSION_SECRET, elsewhere),
    forged({ alg: "HS256", typ: "JWT" }, { ...named, org: "harbor" }, signature),
    `${head}.${payload}.${signature.slice(0, -2)}`,
    `${head}.${payload}`,
    `${head}.${payload}.`,
    "null",
    "a.b.c",
    "\u00ff",
  ];
  for (const token of tokens) {
    const { status, json } = await me(token);
    expect({ token, status, json }).toMatchObject({ status: 401, json: { detail: expect.any(String) } });
  }
  expect((await me(good)).status).toBe(200);
  expect((await me()).status).toBe(401);
  expect((await call("GET", "/auth/me", { headers: { Authorization: `Basic ${good}` } })).status).toBe(401);
});

test("a session that expired in the database ends its token, too", async () => {
  const token = await sessionOf("ada");
  const claims = await verifyToken(env.SESSION_SECRET, token);
  await env.DB.prepare("UPDATE sessions SET expires_at = ? WHERE id = ?")
    .bind(new Date(Date.now() - 1000).toISOString(), claims?.sid)
    .run();
  expect((await me(token)).status).toBe(401);
});

test("a deactivated membership or organization ends the session at once", async () => {
  await aPerson("leaver", { city: "manager" });
  const token = await sessionOf("leaver");
  expect((await me(token)).status).toBe(200);
  await env.DB.prepare("UPDATE org_memberships SET active = 0 WHERE user_id = 'leaver'").run();
  expect((await me(token)).status).toBe(401);
  expect((await logIn("leaver@parks.example")).status).toBe(401);
});

test("a visible department can be chosen; the old token keeps its own", async () => {
  const token = await tokenOf("eve@parks.example");
  const chosen = await call("POST", "/auth/switch-dept?dept_id=sports", { token });
  expect(chosen.status).toBe(200);
  expect(chosen.json).toEqual({ access_token: expect.any(String), token_type: "bearer" });
  expect(chosen.headers.get("Set-Cookie")).toMatch(/^__Host-lamplighter_session=/);
  expect((await me(chosen.json.access_token)).json.current_dept_id).toBe("sports");
  expect((await me(token)).json.current_dept_id).toBeNull();

  for (const dept_id of ["rivers", "docks", "nothing", "'--", "%00"]) {
    const { status, json } = await call("POST", `/auth/switch-dept?dept_id=${dept_id}`, { token });
    expect({ dept_id, status, json }).toMatchObject({ status: 422, json: { detail: "Department not found" } });
  }
  const all = await call("POST", "/auth/switch-dept", { token: chosen.json.access_token });
  expect((await me(all.json.access_token)).json.current_dept_id).toBeNull();
});

test("an admin may choose any department of the organization, but none of another", async () => {
  const token = await sessionOf("ada");
  expect((await call("POST", "/auth/switch-dept?dept_id=rivers", { token })).status).toBe(200);
  expect((await call("POST", "/auth/switch-dept?dept_id=docks", { token })).status).toBe(422);
});

test("a person removed from the chosen department no longer has it chosen", async () => {
  await aPerson("mover", { city: "employee" });
  await env.DB.prepare(
    "INSERT INTO dept_memberships (id, org_id, dept_id, user_id, role) VALUES ('mv', 'city', 'rivers', 'mover', 'dept_staff')",
  ).run();
  const { json } = await call("POST", "/auth/switch-dept?dept_id=rivers", { token: await sessionOf("mover") });
  await env.DB.prepare("DELETE FROM dept_memberships WHERE id = 'mv'").run();
  expect((await me(json.access_token)).json).toMatchObject({ current_dept_id: null, dept_memberships: [] });
});

const change = (token: string, current_password: string, new_password: string) =>
  call("PUT", "/auth/password", {
    token,
    body: { current_password, new_password },
    headers: { "CF-Connecting-IP": token.slice(-12) },
  });

test("a new password ends every other session and continues with a new one", async () => {
  await aPerson("pat", { city: "manager" });
  const [here, elsewhere] = [await sessionOf("pat"), await sessionOf("pat")];
  const { status, json } = await change(here, PASSWORD, "seven lamps by the river");
  expect(status).toBe(200);
  expect(json).toEqual({ success: true, access_token: expect.any(String), token_type: "bearer" });
  expect((await me(here)).status).toBe(401);
  expect((await me(elsewhere)).status).toBe(401);
  expect((await me(json.access_token)).json.id).toBe("pat");
  expect((await logIn("pat@parks.example")).status).toBe(401);
  expect((await logIn("pat@parks.example", "seven lamps by the river")).status).toBe(200);
});

test("who was signing in with the old password as it was changed gets no session", async () => {
  await aPerson("old", { city: "manager" });
  const request = new Request(ORIGIN, { headers: { "CF-Connecting-IP": crypto.randomUUID() } });
  const change = `UPDATE users SET password_hash = '${quickHash("seven lamps by the river")}' WHERE id = 'old'`;
  const deps = { ...authDeps(bindings(), request), db: interruptedBy(change) };
  const late = sessionService(deps).signIn({ email: "old@parks.example", password: PASSWORD });
  await expect(late).rejects.toMatchObject({ code: "unauthenticated", detail: "Incorrect email or password" });
  expect(await rows("SELECT id FROM sessions WHERE user_id = 'old'")).toEqual([]);
  expect((await logIn("old@parks.example", "seven lamps by the river")).status).toBe(200);
});

test("whose password is reset while they change it keeps neither the old one nor the new one", async () => {
  await aPerson("lost", { city: "manager" });
  const request = new Request(ORIGIN, { headers: { "CF-Connecting-IP": crypto.randomUUID() } });
  const deps = authDeps(bindings(), request);
  const session = await sessionService(deps).find(await sessionOf("lost"), "bearer");
  // Three batches look at the attempts, again, and count this one, before the password is looked at.
  const db = interruptedFrom(4, "UPDATE users SET password_hash = '' WHERE id = 'lost'");
  const fields = { current_password: PASSWORD, new_password: "seven lamps by the river" };
  const late = sessionService({ ...deps, db }).changePassword(session, fields);
  await expect(late).rejects.toMatchObject({ code: "invalid", detail: "The current password is not correct" });
  expect(await rows("SELECT password_hash FROM users WHERE id = 'lost'")).toEqual([{ password_hash: "" }]);
});

test.each(["audit_logs", "sessions"])(
  "a new password that fails in the middle, at %s, changes nothing",
  async (table) => {
    const id = `half-${table}`;
    await aPerson(id, { city: "manager" });
    const token = await sessionOf(id);
    await whileFull(table, async () => {
      expect((await change(token, PASSWORD, "seven lamps by the river")).status).toBe(500);
    });
    expect((await me(token)).status).toBe(200);
    expect((await logIn(`${id}@parks.example`)).status).toBe(200);
    expect((await change(token, PASSWORD, "seven lamps by the river")).status).toBe(200);
    const changes = "SELECT count(*) AS n FROM audit_logs WHERE actor_id = ? AND action = 'change_password'";
    expect(await rows(changes, id)).toEqual([{ n: 1 }]);
  },
);

test.each([
  ["short", "The password needs at least 12 characters"],
  ["x9".repeat(65), "The password may have at most 128 characters"],
  ["aaaaaaaaaaaaaa", "This password is too common. Please choose another"],
  ["123456789012", "This password is too common. Please choose another"],
  ["Password1234!", "This password is too common. Please choose another"],
  ["qwertyuiop123", "This password is too common. Please choose another"],
  ["lamplighter-demo", "This password is too common. Please choose another"],
])("refuses a new password that is %s", async (password, detail) => {
  const { status, json } = await change(await sessionOf("eve"), PASSWORD, password);
  expect(status).toBe(422);
  expect(json).toEqual({ detail, errors: { new_password: detail } });
});

test("limits guesses of the current password as at the sign-in", async () => {
  await aPerson("guess", { city: "manager" });
  const token = await sessionOf("guess");
  for (let i = 0; i < 5; i++) {
    expect((await change(token, "wrong", "seven lamps by the river")).json.errors).toHaveProperty("current_password");
  }
  expect((await change(token, PASSWORD, "seven lamps by the river")).status).toBe(429);
});

test("audits sign-ins, failures and sign-outs in the person's organizations, without passwords", async () => {
  await aPerson("rec", { city: "manager", harbor: "employee" });
  const token = await tokenOf("rec@parks.example");
  await call("POST", "/auth/logout", { token });
  await logIn("rec@parks.example", "a wrong secret");
  await logIn("stray@parks.example", "a wrong secret");
  const entries = await rows(
    "SELECT * FROM audit_logs WHERE actor_email IN ('rec@parks.example', 'stray@parks.example')",
  );
  expect(entries.map(({ org_id, action, actor_role }) => `${org_id} ${action} ${actor_role}`).toSorted()).toEqual([
    " login_failed null",
    "city login manager",
    "city login_failed manager",
    "city logout manager",
    "harbor login_failed employee",
  ]);
  expect(JSON.stringify(entries)).not.toContain("a wrong secret");
});

test("the next sign-in continues in the organization of the last session", async () => {
  await aPerson("two", { city: "employee", harbor: "admin" });
  const first = await logIn("two@parks.example");
  expect(first.json.user).toMatchObject({ current_org_id: "city", role: "employee", org_role: "org_member" });
  await env.DB.prepare("UPDATE sessions SET org_id = 'harbor' WHERE user_id = 'two'").run();
  expect((await logIn("two@parks.example")).json.user).toMatchObject({ current_org_id: "harbor", role: "admin" });
});

test("the next day's sign-in continues there, too, whoever has signed in before", async () => {
  await aPerson("regional", { city: "employee", harbor: "admin" });
  await logIn("regional@parks.example");
  await rows("UPDATE sessions SET org_id = 'harbor', expires_at = '2020-01-01' WHERE user_id = 'regional'");
  await aPerson("early", { city: "employee" });
  await logIn("early@parks.example");
  expect((await logIn("regional@parks.example")).json.user).toMatchObject({ current_org_id: "harbor" });
});
