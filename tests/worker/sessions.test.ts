import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { sessionService } from "#worker/auth/session";
import { verifyToken } from "#worker/auth/token";
import { authDeps, sessionsFor } from "#worker/wiring";
import worker from "#worker/index";
import { createExecutionContext } from "cloudflare:test";
import { anOrganization, aPerson, bindings, call, logIn, ORIGIN, PASSWORD, rows, sessionOf } from "../support/door";

beforeAll(async () => {
  await anOrganization("city");
  await anOrganization("harbor");
  await aPerson("ada", { city: "org_admin" });
  await aPerson("eve", { city: "employee", harbor: "admin" });
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const me = async (token: string) => (await call("GET", "/auth/me", { token })).status;

async function idleFor(token: string, minutes: number): Promise<string> {
  const payload = await verifyToken(env.SESSION_SECRET, token);
  await env.DB.prepare("UPDATE sessions SET last_active_at = ? WHERE id = ?")
    .bind(minutesAgo(minutes), payload?.sid)
    .run();
  return String(payload?.sid);
}
const lastActive = async (sid: string) =>
  String((await rows("SELECT last_active_at FROM sessions WHERE id = ?", sid))[0]?.["last_active_at"]);

test("a session ends after an hour without activity, or the organization's own timeout", async () => {
  await rows("INSERT INTO settings (org_id, key, value) VALUES ('harbor', 'SESSION_IDLE_MIN', '5')");
  const token = await sessionOf("ada");
  await idleFor(token, 59);
  expect(await me(token)).toBe(200);
  await idleFor(token, 66);
  expect(await me(token)).toBe(401);

  const admin = await sessionOf("ada");
  const set = (SESSION_IDLE_MIN: unknown) =>
    call("POST", "/admin/settings", { token: admin, body: { SESSION_IDLE_MIN } });
  for (const wrong of [4, 721, 30.5, "60", null]) expect((await set(wrong)).status).toBe(422);
  expect((await set(5)).status).toBe(200);
  const short = await sessionOf("ada");
  await idleFor(short, 11);
  expect(await me(short)).toBe(401);
  expect((await set(60)).status).toBe(200);
});

test("a person's actions keep the session alive; polls and /auth/me do not", async () => {
  const token = await sessionOf("ada");
  const sid = await idleFor(token, 30);
  const before = await lastActive(sid);
  await call("GET", "/auth/me", { token });
  await call("GET", "/areas", { token, headers: { "X-Background": "1" } });
  expect(await lastActive(sid)).toBe(before);
  await call("GET", "/areas", { token });
  const after = await lastActive(sid);
  expect(Date.now() - Date.parse(after)).toBeLessThan(10_000);
  await call("GET", "/areas", { token });
  expect(await lastActive(sid)).toBe(after);
});

test("signing in ends the session of the old cookie", async () => {
  const first = await logIn("eve@parks.example");
  const cookie = /__Host-lamplighter_session=[^;]+/.exec(first.headers.get("Set-Cookie") ?? "")?.[0] ?? "";
  const body = { email: "ada@parks.example", password: PASSWORD };
  await call("POST", "/auth/login", { body, headers: { Cookie: cookie, "CF-Connecting-IP": "203.0.113.77" } });
  expect(await me(first.json.access_token)).toBe(401);
});

test("a sign-in whose session cannot be begun leaves the session of the old cookie", async () => {
  const first = await logIn("eve@parks.example");
  const cookie = /__Host-lamplighter_session=[^;]+/.exec(first.headers.get("Set-Cookie") ?? "")?.[0] ?? "";
  const body = { email: "ada@parks.example", password: PASSWORD };
  await rows("CREATE TRIGGER full BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  const { status } = await call("POST", "/auth/login", {
    body,
    headers: { Cookie: cookie, "CF-Connecting-IP": "203.0.113.78" },
  }).finally(() => rows("DROP TRIGGER full"));
  expect(status).toBeGreaterThanOrEqual(500);
  expect(await me(first.json.access_token)).toBe(200);
});

test("a person lists their own sessions and can end any of them", async () => {
  await aPerson("sue", { city: "employee" });
  const [here, there] = [await sessionOf("sue"), await sessionOf("sue")];
  await sessionOf("eve");
  const { json } = await call("GET", "/auth/sessions", { token: here });
  expect(json.data).toHaveLength(2);
  const [other] = json.data.filter(({ current }: { current: boolean }) => !current);
  expect((await call("DELETE", `/auth/sessions/${other.id}`, { token: here })).json).toEqual({ success: true });
  expect(await me(there)).toBe(401);
  expect(await me(here)).toBe(200);
  const foreign = await verifyToken(env.SESSION_SECRET, await sessionOf("eve"));
  expect((await call("DELETE", `/auth/sessions/${foreign?.sid}`, { token: here })).status).toBe(404);
  expect(await rows("SELECT action FROM audit_logs WHERE actor_id = 'sue'")).toEqual([{ action: "session_ended" }]);
});

test("ending a session twice at once with one form ends it once, and both times it is said to be ended", async () => {
  await aPerson("twice", { city: "employee" });
  const there = await sessionOf("twice");
  const request = new Request(ORIGIN);
  const session = await sessionsFor(bindings(), request).find(await sessionOf("twice"), "bearer");
  const { sid = "" } = (await verifyToken(env.SESSION_SECRET, there)) ?? {};
  const service = sessionService(authDeps(bindings(), request, "one-form"));
  await Promise.all([service.end(session, sid), service.end(session, sid)]);
  expect(await me(there)).toBe(401);
  expect(await rows("SELECT action FROM audit_logs WHERE actor_id = 'twice'")).toEqual([{ action: "session_ended" }]);
});

test("deactivation ends all sessions of the membership for good, also one now in another organization", async () => {
  await aPerson("out", { city: "employee", harbor: "employee" });
  const token = await sessionOf("out");
  const sid = (await verifyToken(env.SESSION_SECRET, token))?.sid;
  await env.DB.prepare("UPDATE sessions SET org_id = 'harbor' WHERE id = ?").bind(sid).run();
  const admin = await sessionOf("ada");
  await call("PUT", "/users/out", { token: admin, body: { active: false } });
  await call("PUT", "/users/out", { token: admin, body: { active: true } });
  expect(await me(token)).toBe(401);
  expect(await rows("SELECT org_id, revoked_at FROM sessions WHERE id = ?", sid)).toEqual([
    { org_id: "harbor", revoked_at: null },
  ]);
});

test("DEMO=off refuses demo accounts and their existing sessions", async () => {
  const hash = (await rows("SELECT password_hash FROM users WHERE id = 'ada'"))[0]?.["password_hash"];
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO users (id, email, password_hash) VALUES ('demo-user-admin-parks', 'demo@parks.example', ?)",
    ).bind(hash),
    env.DB.prepare(
      "INSERT INTO org_memberships (org_id, user_id, role) VALUES ('city', 'demo-user-admin-parks', 'admin')",
    ),
  ]);
  const ask = async (DEMO: string, path: string, init: RequestInit) =>
    (
      await worker.fetch(
        new Request(`https://lamplighter.example/api${path}`, init),
        bindings({ DEMO }),
        createExecutionContext(),
      )
    ).status;
  const token = await sessionOf("demo-user-admin-parks");
  const bearer = { headers: { Authorization: `Bearer ${token}` } };
  const login = {
    method: "POST",
    headers: { "Content-Type": "application/json", "CF-Connecting-IP": "203.0.113.78" },
    body: JSON.stringify({ email: "demo@parks.example", password: PASSWORD }),
  };
  expect(await ask("on", "/auth/me", bearer)).toBe(200);
  expect(await ask("on", "/auth/login", login)).toBe(200);
  expect(await ask("off", "/auth/me", bearer)).toBe(401);
  expect(await ask("off", "/auth/login", login)).toBe(401);
});
