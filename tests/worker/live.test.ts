import { env, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { OrgScheduler } from "#durable/org-scheduler";
import { transact } from "#durable/state/context";
import { putTimer } from "#durable/state/timers";
import { LIVE_CLOSE } from "#domain/lists/live";
import { anOrganization, aPerson, call, sessionOf, tokenOf, type Answer } from "../support/door";
import { askForSocket, listen, listenAs, PATIENCE, type Listener } from "../support/listen";

let admin = "";
const open: Listener[] = [];
const listening = async (work: Promise<Listener>) => {
  const listener = await work;
  open.push(listener);
  return listener;
};

beforeAll(async () => {
  await anOrganization("city");
  await anOrganization("harbor");
  for (const [id, role] of Object.entries({
    ada: "org_admin",
    max: "manager",
    eve: "employee",
    sue: "employee",
  } as const))
    await aPerson(id, { city: role });
  const run = (statement: string) => env.DB.prepare(statement).run();
  await run("INSERT INTO areas (id, org_id, name, type) VALUES ('park', 'city', 'Park', 'park')");
  for (const dept of ["north", "south"]) {
    await run(`INSERT INTO departments (id, org_id, name) VALUES ('${dept}', 'city', '${dept}')`);
    await run(
      `INSERT INTO devices (id, org_id, area_id, dept_id, name) VALUES ('${dept}-lamp', 'city', 'park', '${dept}', 'L')`,
    );
  }
  await run("INSERT INTO devices (id, org_id, area_id, name) VALUES ('gate', 'city', 'park', 'Gate')");
  await run(`INSERT INTO dept_memberships (id, org_id, dept_id, user_id, role) VALUES
    ('m1', 'city', 'north', 'max', 'dept_admin'), ('m2', 'city', 'south', 'eve', 'dept_staff')`);
  for (const [key, value] of [
    ["HARD_CURFEW_OFF", ""],
    ["BLACKOUT_WINDOW", ""],
    ["WATCHDOG_ENABLED", false],
  ])
    await env.DB.prepare("INSERT INTO settings (org_id, key, value) VALUES ('city', ?, ?)")
      .bind(key, JSON.stringify(value))
      .run();
  admin = await sessionOf("ada");
});
afterEach(() => {
  for (const listener of open.splice(0)) listener.close();
});

const press = (device_id: string) =>
  call("POST", `/devices/${device_id}/toggle`, { token: admin, body: { action: "on" } });
const closes = (listener: Listener, code: number) =>
  vi.waitFor(() => expect(listener.closed?.code).toBe(code), PATIENCE);

test.each([
  ["without a cookie", null, {}, 401, "Session expired. Please login again."],
  ["with a bearer only", null, { Authorization: "bearer" }, 401, "Session expired. Please login again."],
  ["with the bearer's token as its cookie", "bearer", {}, 401, "Session expired. Please login again."],
  ["from another site's page", "cookie", { Origin: "https://elsewhere.example" }, 403, "Permission denied"],
  ["from no page", "cookie", { Origin: null }, 403, "Permission denied"],
  ["that is no upgrade", "cookie", { Upgrade: null }, 426, "Open this address as a WebSocket"],
])(
  "a socket %s is refused in the API's form",
  async (_, carrier, headers: Record<string, string | null>, status, detail) => {
    const cookie = carrier === null ? null : await sessionOf("eve", carrier === "bearer" ? "bearer" : "cookie");
    const more = headers["Authorization"] ? { ...headers, Authorization: `Bearer ${await sessionOf("eve")}` } : headers;
    const answer = await askForSocket(cookie, more);
    expect([answer.status, await answer.json()]).toEqual([status, { detail }]);
    expect(answer.headers.get("Location")).toBeNull();
    expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(answer.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  },
);

test("somebody who must set a password first gets no socket", async () => {
  const cookie = await sessionOf("sue", "cookie");
  await env.DB.prepare("UPDATE sessions SET code_hash = 'x' WHERE user_id = 'sue'").run();
  const answer = await askForSocket(cookie);
  expect([answer.status, await answer.json()]).toEqual([403, { detail: "Change your password first" }]);
});

test("an opened socket passes the guards as it is", async () => {
  const answer = await askForSocket(await sessionOf("eve", "cookie"));
  expect(answer.status).toBe(101);
  expect([...answer.headers]).toEqual([]);
  answer.webSocket?.accept();
  answer.webSocket?.close();
});

test("a browser hears at once what has changed of the lights that its person may see, and of no other", async () => {
  const [ada, max, eve] = await Promise.all(["ada", "max", "eve"].map((who) => listening(listenAs(who))));
  if (!ada || !max || !eve) throw new Error("nobody listens");
  for (const id of ["north-lamp", "south-lamp", "gate"]) expect((await press(id)).json.success).toBe(true);
  await vi.waitFor(() => {
    expect(new Set(ada.lights())).toEqual(new Set(["north-lamp", "south-lamp", "gate"]));
    expect(new Set(max.lights())).toEqual(new Set(["north-lamp", "gate"]));
    expect(new Set(eve.lights())).toEqual(new Set(["south-lamp", "gate"]));
  }, PATIENCE);
  expect(JSON.stringify(max.messages)).not.toContain("south");
  expect(JSON.stringify(eve.messages)).not.toContain("north");
  const lit = { id: "north-lamp", current_state: "on", last_state_at: expect.any(String) };
  expect(ada.messages.flatMap((message) => (message.kind === "changes" ? message.devices : []))).toContainEqual(lit);
});

test("a chosen department narrows what is heard, also for an admin", async () => {
  const { json, headers } = await call("POST", "/auth/switch-dept?dept_id=north", { token: await sessionOf("ada") });
  expect(json.token_type).toBe("bearer");
  const cookie = /__Host-lamplighter_session=([^;]+)/.exec(headers.get("Set-Cookie") ?? "")?.[1] ?? "";
  const north = await listening(listen(cookie));
  const all = await listening(listenAs("ada"));
  await press("south-lamp");
  await vi.waitFor(() => expect(all.lights()).toContain("south-lamp"), PATIENCE);
  expect(north.lights()).toEqual([]);
});

test("what changes in the plan, and beside it, is told as a list to load again", async () => {
  const eve = await listening(listenAs("eve"));
  const lists = () => eve.messages.flatMap((message) => (message.kind === "changes" ? message.lists : []));
  await call("POST", "/areas", { token: admin, body: { name: "River", type: "river" } });
  await vi.waitFor(() => expect(lists()).toContain("areas"), PATIENCE);
  await call("POST", "/workorders", { token: admin, body: { title: "Pole leans", area_id: "park" } });
  await vi.waitFor(() => expect(lists()).toContain("workorders"), PATIENCE);
});

test("a person's choice of messages is told to who looks at whom alarms reach", async () => {
  const max = await listening(listenAs("max"));
  await call("PUT", "/messages/mine", { token: await sessionOf("eve"), body: { urgent_by: ["email"] } });
  const lists = () => max.messages.flatMap((message) => (message.kind === "changes" ? message.lists : []));
  await vi.waitFor(() => expect(lists()).toContain("notifications"), PATIENCE);
});

test("whoever leaves with open tasks is told of as those tasks, which are nobody's by then", async () => {
  await aPerson("lee", { city: "employee" });
  await call("POST", "/workorders", { token: admin, body: { title: "Lens cracked", assigned_to: "lee" } });
  const eve = await listening(listenAs("eve"));
  // As below, for what was changed just before.
  await call("POST", "/areas", { token: admin, body: { name: "Pier", type: "path" } });
  await vi.waitFor(() => expect(eve.messages.length).toBeGreaterThan(1), PATIENCE);
  const known = eve.messages.length;
  expect((await call("DELETE", "/users/lee", { token: admin })).status).toBe(200);
  await vi.waitFor(() => {
    const lists = eve.messages.slice(known).flatMap((message) => (message.kind === "changes" ? message.lists : []));
    expect(lists).toEqual(expect.arrayContaining(["users", "workorders", "alarms"]));
  }, PATIENCE);
});

test("who accepts an invitation is told of as the invitation was, by a first password and by a code", async () => {
  await aPerson("guest", { harbor: "employee" });
  const ada = await listening(listenAs("ada"));
  // What was changed just before somebody listens is not told one by one, but as a reload, which would stand for all of it.
  await call("POST", "/areas", { token: admin, body: { name: "Quay", type: "path" } });
  await vi.waitFor(() => expect(ada.messages.length).toBeGreaterThan(1), PATIENCE);
  const told = () => ada.messages.filter((message) => message.kind === "changes" && message.lists.includes("users"));
  const heard = async (change: Promise<Answer>): Promise<Answer> => {
    const before = told().length;
    const answer = await change;
    await vi.waitFor(() => expect(told().length).toBeGreaterThan(before), PATIENCE);
    return answer;
  };
  const invite = async (email: string): Promise<string> =>
    (await heard(call("POST", "/users", { token: admin, body: { email } }))).json.data.one_time_password;
  const codes = { newcomer: await invite("newcomer@parks.example"), guest: await invite("guest@parks.example") };
  const { json } = await call("POST", "/auth/login", {
    body: { email: "newcomer@parks.example", password: codes.newcomer },
    headers: { "CF-Connecting-IP": "203.0.113.10" },
  });
  const new_password = "seven lamps by the river";
  await heard(call("PUT", "/auth/password", { token: json.access_token, body: { new_password } }));
  const token = await sessionOf("guest");
  await heard(call("POST", "/auth/redeem", { token, body: { code: codes.guest } }));
});

test("signing out closes the socket of that session, and of no other", async () => {
  const { json, headers } = await call("POST", "/auth/login", {
    body: { email: "eve@parks.example", password: "correct horse lamp" },
    headers: { "CF-Connecting-IP": "203.0.113.9" },
  });
  const cookie = /__Host-lamplighter_session=([^;]+)/.exec(headers.get("Set-Cookie") ?? "")?.[1] ?? "";
  const [here, elsewhere] = [await listening(listen(cookie)), await listening(listenAs("eve"))];
  await call("POST", "/auth/logout", { token: json.access_token });
  await closes(here, LIVE_CLOSE.signed_out);
  expect(elsewhere.closed).toBeNull();
});

test("ending another session, a new password and a deactivation close the sockets", async () => {
  await aPerson("pat", { city: "employee" });
  const token = await tokenOf("pat@parks.example");
  const other = await listening(listenAs("pat"));
  const { json } = await call("GET", "/auth/sessions", { token });
  const { id } = json.data.find(({ current }: { current: boolean }) => !current);
  await call("DELETE", `/auth/sessions/${id}`, { token });
  await closes(other, LIVE_CLOSE.signed_out);

  const second = await listening(listenAs("pat"));
  const body = { current_password: "correct horse lamp", new_password: "another horse lamp of many" };
  expect((await call("PUT", "/auth/password", { token, body })).status).toBe(200);
  await closes(second, LIVE_CLOSE.signed_out);

  const third = await listening(listenAs("pat"));
  await call("PUT", "/users/pat", { token: admin, body: { active: false } });
  await closes(third, LIVE_CLOSE.signed_out);
});

test("another role, and a department gained or lost, close the socket, so that a new one knows", async () => {
  await aPerson("kim", { city: "employee", harbor: "employee" });
  const before = await listening(listenAs("kim"));
  await call("PUT", "/users/kim", { token: admin, body: { role: "manager" } });
  await closes(before, LIVE_CLOSE.changed);

  const outside = await listening(listenAs("kim"));
  await call("POST", "/departments/north/members", { token: admin, body: { user_id: "kim", role: "dept_staff" } });
  await closes(outside, LIVE_CLOSE.changed);

  const member = await listening(listenAs("kim"));
  await call("DELETE", "/departments/north/members/kim", { token: admin });
  await closes(member, LIVE_CLOSE.changed);
  expect((await listening(listenAs("kim"))).closed).toBeNull();
});

test("a second factor that is required from now on ends what its roles are told", async () => {
  const eve = await listening(listenAs("eve"));
  const max = await listening(listenAs("max"));
  const require = (roles: string[]) =>
    call("POST", "/admin/settings", { token: admin, body: { SECOND_FACTOR_ROLES: roles } });
  expect((await require(["employee"])).status).toBe(200);
  await closes(eve, LIVE_CLOSE.signed_out);
  expect(max.closed).toBeNull();
  await require([]);
});

test("a session that ended without a hint is found by the next check, and no check follows the last socket", async () => {
  const eve = await listening(listenAs("eve"));
  await env.DB.prepare("UPDATE sessions SET revoked_at = '2026-01-01' WHERE user_id = 'eve'").run();
  const stub = env.SCHEDULER.get(env.SCHEDULER.idFromName("city"));
  const check = () =>
    runInDurableObject(stub, async (object) => {
      if (!(object instanceof OrgScheduler)) throw new Error("another object");
      transact(object.context, () => putTimer(object.context.sql, "sockets", "", Date.now() - 1));
    }).then(() => runDurableObjectAlarm(stub));
  await check();
  await closes(eve, LIVE_CLOSE.signed_out);
  const timers = () =>
    runInDurableObject(stub, async (_, { storage }) =>
      storage.sql.exec("SELECT 1 FROM timers WHERE kind = 'sockets'").toArray(),
    );
  await vi.waitFor(async () => {
    await check();
    expect(await timers()).toEqual([]);
  }, PATIENCE);
});

test("a browser that was away gets what it has missed in one message, or is told to load everything", async () => {
  const ada = await listening(listenAs("ada"));
  await press("gate");
  await vi.waitFor(() => expect(ada.lights()).toContain("gate"), PATIENCE);
  const version = ada.messages.at(-1)?.version ?? 0;
  await press("north-lamp");
  await press("south-lamp");
  await vi.waitFor(
    () => expect(new Set(ada.lights())).toEqual(new Set(["gate", "north-lamp", "south-lamp"])),
    PATIENCE,
  );

  const back = await listening(listenAs("max", `?since=${version}`));
  await vi.waitFor(() => expect(back.messages.length).toBeGreaterThan(1), PATIENCE);
  expect(back.messages[0]).toEqual({ kind: "hello", version });
  expect(back.messages[1]).toMatchObject({ kind: "changes", devices: [{ id: "north-lamp" }] });

  for (const since of ["1", "nonsense", String(Number.MAX_SAFE_INTEGER).slice(0, 15)]) {
    const stale = await listening(listenAs("max", `?since=${since}`));
    await vi.waitFor(() => expect(stale.messages.map(({ kind }) => kind)).toEqual(["hello", "reload"]), PATIENCE);
  }
});

test("a person has at most twenty sockets; the next is closed with the reason", async () => {
  const cookie = await sessionOf("ada", "cookie");
  await Promise.all(Array.from({ length: 20 }, () => listening(listen(cookie))));
  const next = await listening(listen(cookie));
  await closes(next, LIVE_CLOSE.too_many);
  expect(next.closed?.reason).toBe(
    "At most 20 windows of one person are kept up to date; this one asks every now and then.",
  );
  expect((await listening(listenAs("max"))).closed).toBeNull();
});

test("a browser that speaks is closed, but for what keeps the line alive", async () => {
  const { webSocket } = await askForSocket(await sessionOf("max", "cookie"));
  if (!webSocket) throw new Error("no socket");
  const heard: unknown[] = [];
  const codes: number[] = [];
  webSocket.addEventListener("message", ({ data }) => void heard.push(data));
  webSocket.addEventListener("close", ({ code }) => void codes.push(code));
  webSocket.accept();
  webSocket.send("ping");
  await vi.waitFor(() => expect(heard).toContain("pong"), PATIENCE);
  expect(codes).toEqual([]);
  webSocket.send("hello");
  await vi.waitFor(() => expect(codes).toEqual([LIVE_CLOSE.unexpected]), PATIENCE);
});

test("what a socket carries opens no session", async () => {
  const stub = env.SCHEDULER.get(env.SCHEDULER.idFromName("city"));
  const cookie = await sessionOf("max", "cookie");
  await listening(listen(cookie));
  const carried = await runInDurableObject(stub, async (_, state) =>
    state.getWebSockets("user:max").map((socket) => JSON.stringify(socket.deserializeAttachment())),
  );
  expect(carried).toHaveLength(1);
  expect(carried[0]).not.toContain(cookie);
});
