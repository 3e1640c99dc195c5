import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { addressOf } from "#worker/auth/address";
import { withHashSlot } from "#worker/auth/hash-slots";
import { hashPassword } from "#worker/auth/password";
import { anOrganization, aPerson, call, logIn, PASSWORD, rows } from "../support/door";

beforeAll(async () => {
  await anOrganization("city");
});

/** Records failures of an account, each from another address, the latest just now. */
async function fail(email: string, times: number): Promise<void> {
  const add = env.DB.prepare("INSERT INTO login_attempts (email, address, at) VALUES (?, ?, ?)");
  const at = new Date().toISOString();
  await env.DB.batch(Array.from({ length: times }, () => add.bind(email, crypto.randomUUID(), at)));
}

const deviceOf = (headers: Headers) =>
  /__Host-lamplighter_device=[^;]+/.exec(headers.get("Set-Cookie") ?? "")?.[0] ?? "";

const logInFrom = (email: string, password: string, address: string, cookie: string) =>
  call("POST", "/auth/login", {
    body: { email, password },
    headers: { "CF-Connecting-IP": address, Cookie: cookie },
  });

test("simultaneous guesses count like consecutive ones, and refused ones hash nothing", async () => {
  await aPerson("guessed", { city: "employee" }, await hashPassword(PASSWORD));
  const guesses = Array.from({ length: 12 }, () => logIn("guessed@parks.example", "wrong", "198.51.100.9"));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5);
  expect(statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
  const [kept] = await rows("SELECT count(*) AS n FROM login_attempts WHERE email = 'guessed@parks.example'");
  expect(kept?.["n"]).toBe(statuses.filter((status) => status === 401).length);
});

test("four people sign in at once without being counted as failures", async () => {
  await aPerson("quick", { city: "employee" }, await hashPassword(PASSWORD));
  const all = Array.from({ length: 4 }, () => logIn("quick@parks.example", PASSWORD, "198.51.100.10"));
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await rows("SELECT * FROM login_attempts WHERE email = 'quick@parks.example'")).toEqual([]);
});

test("a fifth hash waits at most two seconds and then gets a Retry-After", async () => {
  let finish = () => {};
  const busy = new Promise<void>((resolve) => (finish = resolve));
  const four = Array.from({ length: 4 }, () => withHashSlot(() => busy));
  const started = Date.now();
  await expect(withHashSlot(async () => "never")).rejects.toMatchObject({
    code: "unavailable",
    retry_after_sec: expect.any(Number),
  });
  expect(Date.now() - started).toBeGreaterThanOrEqual(1_900);
  const patient = withHashSlot(async () => "served");
  finish();
  await Promise.all(four);
  expect(await patient).toBe("served");
});

test("each failure from any address doubles the account's wait", async () => {
  await aPerson("target", { city: "employee" });
  await fail("target@parks.example", 13);
  const { status, headers, json } = await logIn("target@parks.example");
  expect(status).toBe(429);
  expect(Number(headers.get("Retry-After"))).toBeGreaterThan(5);
  expect(Number(headers.get("Retry-After"))).toBeLessThanOrEqual(8);
  expect(json.detail).toBe("Too many sign-in attempts. Try again in 1 minute.");
  await env.DB.prepare("UPDATE login_attempts SET at = ? WHERE email = 'target@parks.example'")
    .bind(new Date(Date.now() - 9_000).toISOString())
    .run();
  expect((await logIn("target@parks.example")).status).toBe(200);
});

test("of two limits the wait is that of the one that holds longer", async () => {
  const add = env.DB.prepare("INSERT INTO login_attempts (email, address, at) VALUES (?, '198.51.100.30', ?)");
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const here = Array.from({ length: 5 }, () => add.bind("twice@parks.example", ago(13)));
  const guests = Array.from({ length: 50 }, (_, i) => add.bind(`guest${i}@x.example`, ago(4)));
  await env.DB.batch([...here, ...guests]);
  const minutesOf = async () =>
    (await logIn("twice@parks.example", PASSWORD, "198.51.100.30")).json.detail.replace(/\D+/g, "");
  expect(await minutesOf()).toBe("11");
  await env.DB.prepare("DELETE FROM login_attempts WHERE email LIKE 'guest%'").run();
  expect(await minutesOf()).toBe("2");
  await fail("twice@parks.example", 90);
  expect(await minutesOf()).toBe("15");
});

test("an account never waits longer than 15 minutes", async () => {
  await fail("flooded@parks.example", 99);
  const { headers } = await logIn("flooded@parks.example");
  expect(Number(headers.get("Retry-After"))).toBeLessThanOrEqual(15 * 60);
  expect(Number(headers.get("Retry-After"))).toBeGreaterThan(14 * 60);
});

test("a known device is locked out neither by its network nor by the account's failures", async () => {
  await aPerson("office", { city: "employee" });
  const cookie = deviceOf((await logIn("office@parks.example")).headers);
  expect(cookie).not.toBe("");
  await fail("office@parks.example", 40);
  const add = env.DB.prepare("INSERT INTO login_attempts (email, address, at) VALUES (?, '198.51.100.20', ?)");
  await env.DB.batch(Array.from({ length: 50 }, (_, i) => add.bind(`g${i}@x.example`, new Date().toISOString())));
  expect((await logIn("office@parks.example", PASSWORD, "198.51.100.20")).status).toBe(429);
  expect((await logInFrom("office@parks.example", PASSWORD, "198.51.100.20", cookie)).status).toBe(200);

  for (let i = 0; i < 5; i++) {
    expect((await logInFrom("office@parks.example", "wrong", "198.51.100.20", cookie)).status).toBe(401);
  }
  expect((await logInFrom("office@parks.example", PASSWORD, "198.51.100.20", cookie)).status).toBe(429);
});

test("a known device helps no other account, and a forged one none", async () => {
  await aPerson("owner", { city: "employee" });
  const cookie = deviceOf((await logIn("owner@parks.example")).headers);
  await aPerson("other", { city: "employee" });
  await fail("other@parks.example", 20);
  expect((await logInFrom("other@parks.example", PASSWORD, "198.51.100.21", cookie)).status).toBe(429);
  await fail("owner@parks.example", 20);
  const forged = `${cookie.slice(0, -3)}AAA`;
  expect((await logInFrom("owner@parks.example", PASSWORD, "198.51.100.21", forged)).status).toBe(429);
});

test("trusts the client address only in the header that the platform sets", () => {
  const from = (headers: Record<string, string>, header: string | undefined) =>
    addressOf(new Request("https://x.example", { headers }), header);
  expect(from({ "CF-Connecting-IP": "203.0.113.1" }, "CF-Connecting-IP")).toBe("203.0.113.1");
  expect(from({ "CF-Connecting-IP": "203.0.113.1" }, "none")).toBe("unknown");
  expect(from({ "CF-Connecting-IP": "203.0.113.1" }, undefined)).toBe("unknown");
  expect(from({ "X-Forwarded-For": "203.0.113.1" }, "CF-Connecting-IP")).toBe("unknown");
  expect(from({ "CF-Connecting-IP": "2001:db8::1" }, "CF-Connecting-IP")).toBe("2001:db8:0:0::/64");
});

test("a setting that names no header costs the clients' addresses, not every request", () => {
  const request = new Request("https://x.example", { headers: { "CF-Connecting-IP": "203.0.113.1" } });
  for (const header of ["CF Connecting IP", "CF-Connecting-IP:", " CF-Connecting-IP", ""])
    expect(addressOf(request, header)).toBe("unknown");
});

test("the platform's rate limit counts by address and e-mail together", async () => {
  const guess = (email: string, address: string) => logIn(email, "", address);
  const statuses = [];
  for (let i = 0; i < 40; i++) {
    statuses.push((await logInFrom("flood@parks.example", "x", "198.51.100.30", "")).status);
  }
  expect(statuses).toContain(429);
  expect((await guess("flood@parks.example", "198.51.100.31")).status).toBe(422);
});
