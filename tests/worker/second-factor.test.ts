import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { secondFactorService } from "#worker/auth/second-factor";
import { authDeps, sessionsFor } from "#worker/wiring";
import { createContext } from "#worker/context";
import { anOrganization, aPerson, bindings, call, logIn, ORIGIN, PASSWORD, rows, sessionOf } from "../support/door";
import { interruptedBy } from "../support/interrupted";

const ENTER = "Enter the code of your authenticator app";

beforeAll(async () => {
  // A code of the last half minute is too old as soon as the half minute turns, be it between making and sending it.
  vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
  await anOrganization("city");
  await anOrganization("harbor");
  await anOrganization("strict");
  await aPerson("ada", { city: "org_admin" });
  await rows(`INSERT INTO settings (org_id, key, value) VALUES ('strict', 'SECOND_FACTOR_ROLES', '["employee"]')`);
});
afterAll(() => void vi.useRealTimers());

const logInWith = (id: string, code?: string, address: string = crypto.randomUUID()) =>
  call("POST", "/auth/login", {
    body: { email: `${id}@parks.example`, password: PASSWORD, code },
    headers: { "CF-Connecting-IP": address },
  });

/** An unused code, of the next half minute, which the server accepts for clocks that are ahead. */
const codeOf = (secret: string, steps = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

async function enroll(token: string): Promise<{ secret: string; recovery_codes: string[] }> {
  const begun = await call("POST", "/auth/second-factor", { token, body: { current_password: PASSWORD } });
  const { secret } = begun.json.data;
  const { json } = await call("PUT", "/auth/second-factor", { token, body: { code: codeOf(secret, -1) } });
  return { secret, recovery_codes: json.data.recovery_codes };
}

test("an authenticator app is set up with a QR code and confirmed with its first code", async () => {
  await aPerson("tia", { city: "employee" });
  const token = await sessionOf("tia");
  const wrong = await call("POST", "/auth/second-factor", { token, body: { current_password: "not it" } });
  expect(wrong.json.errors).toHaveProperty("current_password");
  const { status, json } = await call("POST", "/auth/second-factor", { token, body: { current_password: PASSWORD } });
  expect(status).toBe(200);
  expect(json.data.link).toMatch(/^otpauth:\/\/totp\/Lamplighter:tia%40parks\.example\?issuer=Lamplighter&secret=/);
  expect(json.data.qr_svg).toMatch(/^<svg /);
  expect((await logInWith("tia")).status).toBe(200);
  const refused = await call("PUT", "/auth/second-factor", { token, body: { code: "000000" } });
  expect(refused.json.errors).toHaveProperty("code");
  const confirmed = await call("PUT", "/auth/second-factor", { token, body: { code: codeOf(json.data.secret) } });
  expect(confirmed.json.data.recovery_codes).toHaveLength(10);
  expect((await call("GET", "/auth/second-factor", { token })).json).toEqual({
    data: { enabled: true, required: false, recovery_codes_left: 10 },
  });
  const kept = JSON.stringify([await rows("SELECT * FROM second_factors"), await rows("SELECT * FROM recovery_codes")]);
  for (const secret of [json.data.secret, ...confirmed.json.data.recovery_codes]) expect(kept).not.toContain(secret);
});

test("a form that is sent again, since its answer was lost, is answered with the same recovery codes", async () => {
  await aPerson("los", { city: "employee" });
  const [cookie, token] = [await sessionOf("los", "cookie"), await sessionOf("los")];
  const begun = await call("POST", "/auth/second-factor", { token, body: { current_password: PASSWORD } });
  const confirm = (code: string, key = "lost") => {
    const headers = { Cookie: `__Host-lamplighter_session=${cookie}`, "CF-Connecting-IP": crypto.randomUUID() };
    const request = new Request(`${ORIGIN}/account`, { headers });
    const context = createContext(bindings(), createExecutionContext(), request, "nonce", key);
    return context.requireUser().then(({ account }) => account.confirmSecondFactor({ code }));
  };
  const { secret } = begun.json.data;
  await expect(confirm("000000")).rejects.toMatchObject({ code: "invalid" });
  const first = await confirm(codeOf(secret));
  expect(await confirm(codeOf(secret, 1))).toEqual(first);
  await expect(confirm(codeOf(secret, 1), "another")).rejects.toMatchObject({ code: "conflict" });
  expect((await logInWith("los", first.recovery_codes[0])).status).toBe(200);
  await env.DB.prepare("UPDATE idempotency_keys SET sealed_answer = NULL WHERE user_id = 'los'").run();
  await expect(confirm(codeOf(secret, 1))).rejects.toMatchObject({ detail: "You have an authenticator app already" });
});

test("the right password without the code, or with a wrong or used one, opens no session", async () => {
  await aPerson("una", { city: "employee" });
  const { secret } = await enroll(await sessionOf("una"));
  const before = await rows("SELECT count(*) AS n FROM sessions");
  for (const code of [undefined, "", "123456", codeOf(secret, -1), "nonsense"]) {
    const { status, json } = await logInWith("una", code);
    expect({ code, status, detail: json.detail }).toEqual({ code, status: 401, detail: ENTER });
  }
  expect(await rows("SELECT count(*) AS n FROM sessions")).toEqual(before);
  const code = codeOf(secret);
  const others = () => rows("SELECT user_id, last_step FROM second_factors WHERE user_id <> 'una' ORDER BY user_id");
  await rows("UPDATE second_factors SET last_step = 1 WHERE user_id <> 'una'");
  const theirs = await others();
  expect((await logInWith("una", code)).status).toBe(200);
  expect(await others()).toEqual(theirs);
  expect((await logInWith("una", code)).status).toBe(401);
  expect(
    (
      await call("POST", "/auth/login", {
        body: { email: "una@parks.example", password: "wrong", code: codeOf(secret, 1) },
      })
    ).json.detail,
  ).toBe("Incorrect email or password");
});

test("limits wrong codes to five", async () => {
  await aPerson("vic", { city: "employee" });
  const { secret } = await enroll(await sessionOf("vic"));
  for (let i = 0; i < 5; i++) expect((await logInWith("vic", "000000", "203.0.113.5")).status).toBe(401);
  expect((await logInWith("vic", codeOf(secret), "203.0.113.5")).status).toBe(429);
});

test("a sign-in without a code is not a failed attempt", async () => {
  await aPerson("wes", { city: "employee" });
  await enroll(await sessionOf("wes"));
  for (let i = 0; i < 6; i++) expect((await logInWith("wes", undefined, "203.0.113.6")).status).toBe(401);
});

test("a recovery code signs in once and is audited", async () => {
  await aPerson("xia", { city: "employee" });
  const { recovery_codes } = await enroll(await sessionOf("xia"));
  const [code = ""] = recovery_codes;
  expect((await logInWith("una", code)).status).toBe(401);
  expect((await logInWith("xia", code.toUpperCase())).status).toBe(200);
  expect((await logInWith("xia", code)).status).toBe(401);
  const actions = (await rows("SELECT action FROM audit_logs WHERE actor_id = 'xia'")).map(({ action }) => action);
  expect(actions).toEqual(
    expect.arrayContaining(["second_factor_begun", "second_factor_on", "login", "recovery_code_used", "login_failed"]),
  );
});

test("an app sealed with a lost SETTINGS_KEY is said to be of no use, and a recovery code still signs in", async () => {
  await aPerson("yve", { city: "employee" });
  const { secret, recovery_codes } = await enroll(await sessionOf("yve"));
  await rows("UPDATE second_factors SET sealed_secret = 'v1.AAAA' WHERE user_id = 'yve'");
  const detail =
    "Your authenticator app cannot be checked any more. Enter a recovery code, or ask whoever runs Lamplighter";
  // It is no guess, so that trying it again does not lock the recovery codes out as well.
  for (let i = 0; i < 6; i++) {
    const { status, json } = await logInWith("yve", codeOf(secret), "203.0.113.7");
    expect([status, json]).toEqual([401, { detail, errors: { code: detail } }]);
  }
  expect((await logInWith("yve", recovery_codes[0], "203.0.113.7")).status).toBe(200);
});

test("a password reset does not replace the second factor", async () => {
  await aPerson("yan", { city: "employee" });
  const { secret } = await enroll(await sessionOf("yan"));
  const { json } = await call("POST", "/users/yan/password", { token: await sessionOf("ada") });
  expect((await logIn("yan@parks.example", json.data.one_time_password)).json.detail).toBe(ENTER);
  const body = { email: "yan@parks.example", password: json.data.one_time_password, code: codeOf(secret) };
  expect((await call("POST", "/auth/login", { body })).json.user.must_change_password).toBe(true);
});

test("an organization can require it by role; nothing else works until it is set up", async () => {
  await aPerson("zoe", { harbor: "org_admin" });
  await aPerson("abe", { harbor: "employee" });
  const [admin, employee] = [await sessionOf("zoe"), await sessionOf("abe")];
  const body = { SECOND_FACTOR_ROLES: ["admin"] };
  expect((await call("POST", "/admin/settings", { token: admin, body })).status).toBe(200);
  expect((await call("GET", "/areas", { token: employee })).status).toBe(200);
  expect((await call("GET", "/areas", { token: admin })).json).toEqual({ detail: "Set up your second factor first" });
  expect((await call("GET", "/auth/me", { token: admin })).json.must_set_up_second_factor).toBe(true);
  await enroll(admin);
  expect((await call("GET", "/areas", { token: admin })).status).toBe(200);
  const removed = await call("POST", "/auth/second-factor/remove", {
    token: admin,
    body: { current_password: PASSWORD },
  });
  expect(removed.status).toBe(409);
});

test("where it is required, a new app takes the password and a code, so that a lost phone can be replaced", async () => {
  await aPerson("fay", { strict: "employee" });
  const { recovery_codes, secret } = await enroll(await sessionOf("fay"));
  const { json } = await logInWith("fay", recovery_codes[0]);
  const token = json.access_token;
  const remove = (code?: string, current_password = PASSWORD) =>
    call("POST", "/auth/second-factor/remove", { token, body: { current_password, code } });
  for (const code of ["", "000000", recovery_codes[0]]) {
    const { status, json } = await remove(code);
    expect({ code, status, errors: Object.keys(json.errors ?? {}) }).toEqual({ code, status: 422, errors: ["code"] });
  }
  expect((await remove(recovery_codes[1], "not it")).json.errors).toHaveProperty("current_password");
  expect((await call("GET", "/areas", { token })).status).toBe(200);

  expect((await remove(recovery_codes[1])).json).toEqual({ success: true });
  expect((await call("GET", "/areas", { token })).json).toEqual({ detail: "Set up your second factor first" });
  const renewed = await enroll(token);
  expect(renewed.secret).not.toBe(secret);
  expect((await call("GET", "/areas", { token })).status).toBe(200);
  expect((await remove(codeOf(renewed.secret))).json).toEqual({ success: true });
});

test("wrong codes for a new app are limited to five", async () => {
  await aPerson("gil", { strict: "employee" });
  const token = await sessionOf("gil");
  const { secret } = await enroll(token);
  const remove = (code: string) =>
    call("POST", "/auth/second-factor/remove", {
      token,
      body: { current_password: PASSWORD, code },
      headers: { "CF-Connecting-IP": "203.0.113.8" },
    });
  for (let i = 0; i < 5; i++) expect((await remove("000000")).status).toBe(422);
  expect((await remove(codeOf(secret))).status).toBe(429);
});

test("a demo account is exempt", async () => {
  await env.DB.batch([
    env.DB.prepare("INSERT INTO users (id, email, password_hash) VALUES ('demo-user-x', 'x@parks.example', 'none')"),
    env.DB.prepare("INSERT INTO org_memberships (org_id, user_id, role) VALUES ('harbor', 'demo-user-x', 'admin')"),
  ]);
  expect((await call("GET", "/areas", { token: await sessionOf("demo-user-x") })).status).toBe(200);
});

test("it can be removed with the password unless it is required", async () => {
  await aPerson("bob", { city: "employee" });
  const token = await sessionOf("bob");
  await enroll(token);
  const remove = (current_password: string) =>
    call("POST", "/auth/second-factor/remove", { token, body: { current_password } });
  expect((await remove("not it")).status).toBe(422);
  expect((await remove(PASSWORD)).json).toEqual({ success: true });
  expect((await logInWith("bob")).status).toBe(200);
});

/** The service as a session's, with somebody's statement before each batch. */
async function serviceOf(id: string, sql: string) {
  const request = new Request(ORIGIN, { headers: { "CF-Connecting-IP": crypto.randomUUID() } });
  const session = await sessionsFor(bindings(), request).find(await sessionOf(id), "bearer");
  return { session, service: secondFactorService({ ...authDeps(bindings(), request), db: interruptedBy(sql) }) };
}

test("an app that is begun while another one is confirmed leaves that one in force", async () => {
  await aPerson("cal", { city: "employee" });
  const token = await sessionOf("cal");
  const begin = () => call("POST", "/auth/second-factor", { token, body: { current_password: PASSWORD } });
  const confirmed = "UPDATE second_factors SET confirmed_at = '2026-11-20T20:00:00.000Z' WHERE user_id = 'cal'";
  const begun = await begin();
  await rows(`CREATE TRIGGER meanwhile BEFORE INSERT ON second_factors BEGIN ${confirmed}; END`);
  const late = await begin().finally(() => rows("DROP TRIGGER meanwhile"));
  expect([late.status, late.json.detail]).toEqual([409, "You have an authenticator app already"]);
  await rows(confirmed);
  expect((await logInWith("cal")).json.detail).toBe(ENTER);
  expect((await logInWith("cal", codeOf(begun.json.data.secret))).status).toBe(200);
});

test.each([
  ["dia", "sealed_secret = 'another'"],
  ["eli", "confirmed_at = '2026-11-20T20:00:00.000Z'"],
])("a code of %s confirms no app of which meanwhile %s", async (id, change) => {
  await aPerson(id, { city: "employee" });
  const body = { current_password: PASSWORD };
  const begun = await call("POST", "/auth/second-factor", { token: await sessionOf(id), body });
  const { session, service } = await serviceOf(id, `UPDATE second_factors SET ${change} WHERE user_id = '${id}'`);
  await expect(service.confirm(session, { code: codeOf(begun.json.data.secret) })).rejects.toMatchObject({
    code: "conflict",
    detail: "Begin with a new authenticator app first",
  });
  expect(await rows(`SELECT * FROM recovery_codes WHERE user_id = '${id}'`)).toEqual([]);
});
