import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { createContext } from "#worker/context";
import { failingFrom } from "../support/failing-database";
import { anOrganization, aPerson, bindings, call, ORIGIN, PASSWORD, sessionOf } from "../support/door";

beforeAll(async () => {
  await anOrganization("city");
  await anOrganization("harbor");
  await aPerson("ada", { city: "admin", harbor: "manager" });
  await aPerson("gone", { city: "employee" });
  await aPerson("hal", { harbor: "org_admin" });
  await env.DB.prepare(
    "INSERT INTO departments (id, org_id, name) VALUES ('sports', 'city', 'Sports'), ('docks', 'harbor', 'Docks')",
  ).run();
});

/** The load context of a page load with this cookie. */
function visit(token: string | null, { origin = ORIGIN, path = "/devices", to = bindings(), headers = {} } = {}) {
  const cookie: Record<string, string> =
    token === null ? {} : { Cookie: `theme=x; __Host-lamplighter_session=${token}` };
  const request = new Request(`${origin}${path}`, {
    headers: { ...cookie, "CF-Connecting-IP": crypto.randomUUID(), ...headers },
  });
  return { request, context: createContext(to, createExecutionContext(), request, "nonce") };
}

const form = (fields: Record<string, string>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
};

const cookieOf = (headers: Headers) =>
  /__Host-lamplighter_session=([^;]*)/.exec(headers.get("Set-Cookie") ?? "")?.[1] ?? "";

async function thrownBy(work: Promise<unknown>): Promise<Response> {
  const thrown: unknown = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (thrown instanceof Response) return thrown;
  throw new Error(`no answer was thrown, but ${String(thrown)}`);
}

test("the page's cookie identifies the person and yields the token for the browser's API calls", async () => {
  const token = await sessionOf("ada", "cookie");
  const { context } = visit(token);
  const signedIn = await context.requireUser();
  expect(signedIn.user).toMatchObject({ id: "ada", current_org_id: "city" });
  expect((await call("GET", "/auth/me", { token: signedIn.token })).json).toEqual(signedIn.user);
  expect(await signedIn.services.departments.list()).toHaveLength(1);
});

test.each([null, "", "nonsense"])(
  "with the cookie %j one is sent to /login, and a stale cookie is cleared",
  async (token) => {
    const { context } = visit(token);
    const { status, headers } = await thrownBy(context.requireUser());
    expect(status).toBe(302);
    expect(headers.get("Location")).toBe("/login");
    expect(headers.get("Set-Cookie")?.includes("Max-Age=0") ?? false).toBe(token === "nonsense");
  },
);

test("what a page asks for with a stale cookie takes no cookie: its person may have signed in again meanwhile", async () => {
  const { context } = visit("nonsense", { path: "/devices.data" });
  const { status, headers } = await thrownBy(context.requireUser());
  expect(status).toBe(302);
  expect(headers.get("Set-Cookie")).toBe(null);
});

test("a bearer token opens no page", async () => {
  const { context } = visit(null, {
    headers: { Authorization: `Bearer ${await sessionOf("ada", "cookie")}` },
  });
  expect((await thrownBy(context.requireUser())).status).toBe(302);
});

test("the loaders of one page share one round trip to the database, and what one of them has read", async () => {
  let batches = 0;
  const asked: string[] = [];
  const DB = new Proxy(env.DB, {
    get: (d1, name) => {
      if (name === "batch") batches += 1;
      if (name === "prepare") return (sql: string) => (asked.push(sql), d1.prepare(sql));
      const member: unknown = Reflect.get(d1, name);
      return typeof member === "function" ? member.bind(d1) : member;
    },
  });
  const { context } = visit(await sessionOf("ada", "cookie"), { to: bindings({ DB }) });
  const loaders = await Promise.all([context.requireUser(), context.requireUser(), context.requireUser()]);
  expect(batches).toBe(1);

  asked.length = 0;
  await Promise.all(loaders.map(({ services }) => services.settings.guardrails()));
  expect(asked).toHaveLength(1);
  const [first, second] = loaders;
  await first?.services.settings.saveGuardrails({ MAX_ON_DURATION_MIN: 90 });
  expect(await second?.services.settings.guardrails()).toMatchObject({ MAX_ON_DURATION_MIN: 90 });
});

test("signing in by the form sets a cookie and returns a bearer token of the same session", async () => {
  const { context } = visit(null);
  const { user, token, headers } = await context.signIn(form({ email: "ada@parks.example", password: PASSWORD }));
  expect(user.id).toBe("ada");
  expect(cookieOf(headers)).not.toBe(token);
  expect((await call("GET", "/auth/me", { token })).json).toEqual(user);
  const next = visit(cookieOf(headers));
  expect((await next.context.requireUser()).user).toEqual(user);
});

test("who accepts another invitation than the one they signed in for goes on where they have joined", async () => {
  await aPerson("twofold", {});
  const invite = async (token: string) =>
    (await call("POST", "/users", { token, body: { email: "twofold@parks.example" } })).json.data.one_time_password;
  await invite(await sessionOf("ada"));
  const code = await invite(await sessionOf("hal"));
  const signedIn = await visit(null).context.signIn(form({ email: "twofold@parks.example", password: PASSWORD }));
  expect(signedIn.user).toMatchObject({ current_org_id: "city", must_redeem_code: true });
  const { account } = await visit(cookieOf(signedIn.headers)).context.requireNewcomer();
  const { org_id, headers } = await account.redeem({ code });
  expect(org_id).toBe("harbor");
  const next = await visit(cookieOf(headers)).context.requireUser();
  expect(next.user).toMatchObject({ current_org_id: "harbor", role: "employee" });
});

test("a sign-in over a page goes on in the page's organization and department, as far as the person belongs there", async () => {
  const again = async (email: string, place: Record<string, string>) => {
    const { headers } = await visit(null).context.signIn(form({ email, password: PASSWORD, ...place }));
    const { user } = await visit(cookieOf(headers)).context.requireUser();
    return [user.current_org_id, user.current_dept_id];
  };
  const ada = "ada@parks.example";
  expect(await again(ada, { org_id: "harbor", dept_id: "" })).toEqual(["harbor", null]);
  expect(await again(ada, { org_id: "city", dept_id: "sports" })).toEqual(["city", "sports"]);
  expect(await again(ada, { org_id: "city", dept_id: "docks" })).toEqual(["city", null]);
  expect(await again("gone@parks.example", { org_id: "harbor", dept_id: "docks" })).toEqual(["city", null]);
});

test.each([
  [{ email: "ada@parks.example", password: "wrong" }, "unauthenticated"],
  [{ email: "ada@parks.example" }, "invalid"],
])("refuses the form %j as %s", async (fields: Record<string, string>, code) => {
  const { context } = visit(null);
  await expect(context.signIn(form(fields))).rejects.toMatchObject({ name: "Refusal", code });
});

test.each([
  ["https://lamplighter.example", true],
  ["https://localhost", true],
  ["http://localhost:8787", false],
  ["http://127.0.0.1:8787", false],
])("at %s the cookie is Secure: %s", async (origin, secure) => {
  const { context } = visit(null, { origin });
  const { headers } = await context.signIn(form({ email: "ada@parks.example", password: PASSWORD }));
  const attributes = headers.get("Set-Cookie")?.split("; ") ?? [];
  expect(attributes.includes("Secure")).toBe(secure);
  expect(attributes[0]?.startsWith("__Host-")).toBe(secure);
  expect(attributes).toEqual(expect.arrayContaining(["HttpOnly", "SameSite=Lax", "Path=/"]));
});

test("signing out on the page ends the bearer token, too, and works without a session", async () => {
  const token = await sessionOf("ada", "cookie");
  const { context } = visit(token);
  const bearer = (await context.requireUser()).token;
  const { headers } = await context.signOut();
  expect((await call("GET", "/auth/me", { token: bearer })).status).toBe(401);
  expect(headers.get("Set-Cookie")).toMatch(/^__Host-lamplighter_session=; Max-Age=0/);
  const again = visit(token);
  expect((await again.context.signOut()).headers.get("Set-Cookie")).toContain("Max-Age=0");
});

test("while the database is away nobody is sent to /login, and no cookie is cleared", async () => {
  const { d1 } = failingFrom(1, "D1_ERROR: Network connection lost.");
  const { context } = visit(await sessionOf("ada", "cookie"), { to: bindings({ DB: d1 }) });
  const { status, headers, body } = await thrownBy(context.requireUser());
  expect([status, headers.get("Set-Cookie"), await new Response(body).text()]).toEqual([
    503,
    null,
    "The database did not answer. Please try again in a moment.",
  ]);
});

test.each(['update "sessions"', 'insert into "audit_logs"'])(
  "signing out ends the login in this browser also where the database fails at %s",
  async (statement) => {
    const token = await sessionOf("ada", "cookie");
    const { context } = visit(token, { to: { ...bindings(), DB: failingAt(statement) } });
    expect((await context.signOut()).headers.get("Set-Cookie")).toMatch(/^__Host-lamplighter_session=; Max-Age=0/);
  },
);

function failingAt(statement: string): D1Database {
  return new Proxy(env.DB, {
    get: (d1, key) => {
      if (key !== "prepare") return Reflect.get(d1, key).bind(d1);
      return (query: string) => d1.prepare(query.startsWith(statement) ? "SELECT 1 FROM nowhere" : query);
    },
  });
}

test("signing out by the API ends the page too", async () => {
  const token = await sessionOf("ada", "cookie");
  const { context } = visit(token);
  await call("POST", "/auth/logout", { token: (await context.requireUser()).token });
  const next = visit(token);
  expect((await thrownBy(next.context.requireUser())).headers.get("Location")).toBe("/login");
});

test("a deactivated membership ends the page too", async () => {
  const token = await sessionOf("gone", "cookie");
  await env.DB.prepare("UPDATE org_memberships SET active = 0 WHERE user_id = 'gone'").run();
  const { context } = visit(token);
  expect((await thrownBy(context.requireUser())).headers.get("Location")).toBe("/login");
});

test("switching the organization applies the person's role there", async () => {
  const { context } = visit(await sessionOf("ada", "cookie"));
  const { headers } = await context.switchOrg("harbor");
  const next = visit(cookieOf(headers));
  const { user, services } = await next.context.requireUser();
  expect(user).toMatchObject({ current_org_id: "harbor", current_dept_id: null, role: "manager" });
  await expect(services.departments.create({ name: "x" })).rejects.toMatchObject({ code: "forbidden" });
});

test("refuses to switch to somebody else's organization or to a hidden department", async () => {
  await anOrganization("elsewhere");
  const { context } = visit(await sessionOf("ada", "cookie"));
  expect((await thrownBy(context.switchOrg("elsewhere"))).status).toBe(403);
  expect((await thrownBy(context.switchDept("docks"))).status).toBe(422);
  expect((await thrownBy(visit(null).context.switchDept("sports"))).headers.get("Location")).toBe("/login");
});

test("a department can be chosen and left again", async () => {
  const first = visit(await sessionOf("ada", "cookie"));
  const { headers } = await first.context.switchDept("sports");
  const second = visit(cookieOf(headers));
  expect((await second.context.requireUser()).user.current_dept_id).toBe("sports");
  const third = visit(cookieOf((await second.context.switchDept(null)).headers));
  expect((await third.context.requireUser()).user.current_dept_id).toBeNull();
});

test("a new password keeps the page signed in, and nothing else", async () => {
  await aPerson("pat", { city: "manager" });
  const [here, elsewhere] = [await sessionOf("pat", "cookie"), await sessionOf("pat", "cookie")];
  const { context } = visit(here);
  const fields = form({ current_password: PASSWORD, new_password: "seven lamps by the river" });
  const { headers } = await context.changePassword(fields);
  for (const token of [here, elsewhere]) {
    const old = visit(token);
    expect((await thrownBy(old.context.requireUser())).status).toBe(302);
  }
  const next = visit(cookieOf(headers));
  expect((await next.context.requireUser()).user.id).toBe("pat");
});

test("signs nobody in without its secret", async () => {
  const { context } = visit(null, { to: bindings({ SESSION_SECRET: "" }) });
  const signing = context.signIn(form({ email: "ada@parks.example", password: PASSWORD }));
  await expect(signing).rejects.toThrow("SESSION_SECRET is missing");
});
