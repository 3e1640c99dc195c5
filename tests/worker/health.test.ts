import { createExecutionContext } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { organizationHash } from "#db/organization-hash";
import { WANTED_SCHEMA } from "#db/wanted-schema";
import { VERSION } from "#domain/version";
import { deadmanUrl, pingDeadman } from "#worker/deadman";
import { askAll } from "#worker/health/ask";
import { overview } from "#worker/health/overview";
import worker from "#worker/index";
import { sweep } from "#worker/sweep";
import { misfit, operation, published } from "../support/document";
import { anOrganization, bindings, call, ORIGIN, rows } from "../support/door";
import { aReport, engine } from "../support/fake-scheduler";

const NOON = Date.parse("2026-06-10T12:00:00.000Z");
const after = (sec: number) => new Date(NOON + sec * 1000);
const broken = () => Promise.reject(new Error("reset"));

let lines: string[] = [];

beforeEach(async () => {
  lines = [];
  for (const level of ["error", "warn", "info"] as const)
    vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line));
  await rows("DELETE FROM scheduler_health");
  await rows("DELETE FROM alarms");
  await rows("DELETE FROM organizations");
  await anOrganization("city");
  await anOrganization("harbor");
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rows("DROP TABLE IF EXISTS d1_migrations");
});

/** As wrangler notes a migration, in a table as it makes it. */
async function migrated(name: string, at: Date): Promise<void> {
  const columns = "id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP NOT NULL";
  await rows(`CREATE TABLE IF NOT EXISTS d1_migrations (${columns})`);
  const applied_at = at.toISOString().slice(0, 19).replace("T", " ");
  await rows("INSERT INTO d1_migrations (name, applied_at) VALUES (?, ?)", name, applied_at);
}

const isDatabase = (value: unknown): value is D1Database =>
  typeof value === "object" && value !== null && "prepare" in value;

/** A deployment whose schedulers answer like this. */
const of = (report: (org_id: unknown) => Promise<unknown>, more = {}) =>
  bindings({ SCHEDULER: engine({ report, ensure: report }), ...more });
const states = async (deployment: ReturnType<typeof of>, sec: number) => {
  const { status, detail, schedulers } = await overview(deployment, after(sec));
  return { status, detail, states: Object.fromEntries(schedulers.map(({ org_id, state }) => [org_id, state])) };
};

test("anybody reads the version, the database's and each scheduler's state, by a hash that names nobody", async () => {
  const { status, json } = await call("GET", "/health");
  expect(status).toBe(200);
  expect(json).toMatchObject({
    status: "ok",
    version: VERSION,
    commit: null,
    last_sweep_age_sec: null,
    database: { ok: true, schema: null, wanted_schema: WANTED_SCHEMA },
  });
  expect(json.organizations).toHaveLength(2);
  expect(json.organizations[0]).toEqual({
    id: expect.stringMatching(/^[\da-f]{16}$/),
    state: "on_time",
    as_of: expect.any(String),
    overdue: { count: 0, oldest_age_sec: null },
    last_tick_age_sec: null,
    outbox: { count: 0, oldest_age_sec: null },
  });
  expect(JSON.stringify(json)).not.toMatch(/city|harbor|parks/);
});

test("what it answers while it fails is documented, also where nothing is configured yet", async () => {
  const document = await published();
  const told = async (more: object) => {
    const request = new Request(`${ORIGIN}/api/health`);
    const answer = await worker.fetch(
      request,
      of(async () => aReport(600), more),
      createExecutionContext(),
    );
    const json: unknown = await answer.json();
    return { status: answer.status, json, misfit: misfit(document, "GET /health", answer.status, json) };
  };
  expect(await told({})).toMatchObject({ status: 503, json: { detail: "Schedulers: 2 late" }, misfit: null });
  expect(await told({ SESSION_SECRET: "" })).toMatchObject({ status: 503, misfit: null });
  const { description } = operation(document, "GET /health").responses[503] ?? {};
  expect(description).not.toMatch(/engine|archive|signing in/);
});

test("the hash needs the secret, and stays the same with it", () => {
  const hash = organizationHash("city", "a");
  expect(hash).toBe(organizationHash("city", "a"));
  expect(new Set([hash, organizationHash("city", "b"), organizationHash("harbor", "a")]).size).toBe(3);
});

test("however many ask, a scheduler is asked once in half a minute", async () => {
  const asked: unknown[] = [];
  const deployment = of(async (org_id) => {
    asked.push(org_id);
    return aReport();
  });
  await Promise.all(Array.from({ length: 20 }, () => overview(deployment, after(0))));
  expect(asked.toSorted()).toEqual(["city", "harbor"]);
  await overview(deployment, after(29));
  expect(asked).toHaveLength(2);
  await overview(deployment, after(30));
  expect(asked).toHaveLength(4);
});

test("a scheduler that is late for three minutes makes the deployment fail, and one that is a little late does not", async () => {
  let late = 180;
  const deployment = of(async (org_id) => aReport(org_id === "city" ? late : null));
  expect(await states(deployment, 0)).toMatchObject({ status: "ok" });
  late = 181;
  expect(await states(deployment, 60)).toEqual({
    status: "failing",
    detail: "Schedulers: 1 late",
    states: { city: "late", harbor: "on_time" },
  });
});

test("a scheduler that is silent for three minutes makes the deployment fail, until it answers", async () => {
  let isBroken = false;
  const deployment = of((org_id) => (isBroken && org_id === "city" ? broken() : Promise.resolve(aReport())));
  expect(await states(deployment, 0)).toMatchObject({ status: "ok" });
  isBroken = true;
  expect(await states(deployment, 60)).toMatchObject({ status: "ok" });
  expect(await states(deployment, 200)).toMatchObject({ status: "ok" });
  expect(await states(deployment, 280)).toMatchObject({
    status: "failing",
    detail: "Schedulers: 1 not answering",
    states: { city: "no_answer", harbor: "on_time" },
  });
  isBroken = false;
  expect(await states(deployment, 320)).toMatchObject({ status: "ok", states: { city: "on_time" } });
});

test("a scheduler that hangs, or whose database is a newer release's, holds up no other", async () => {
  const hangs = of((org_id) => (org_id === "hung" ? new Promise(() => undefined) : Promise.resolve(aReport())));
  const answers = await askAll(hangs, "report", ["hung", "city"], 20);
  expect(answers.find(({ org_id }) => org_id === "hung")?.report).toBeNull();
  expect(answers.find(({ org_id }) => org_id === "city")?.report).toEqual(aReport());
  expect(
    await askAll(
      of(async () => null),
      "report",
      ["newer"],
      20,
    ),
  ).toEqual([{ org_id: "newer", report: null }]);
  expect(lines.join()).toContain("no answer within 20 ms");
});

test("a database that does not answer is 503, with the version", async () => {
  const away: unknown = { prepare: () => ({ bind: () => ({ all: broken, raw: broken }) }), batch: broken };
  if (!isDatabase(away)) throw new Error("no database");
  const found = await overview(bindings({ DB: away }), after(0));
  expect(found).toMatchObject({ status: "failing", detail: "The database does not answer", version: VERSION });
});

test("whether the server is there is answered whatever is wrong behind it", async () => {
  const away: unknown = { prepare: broken, batch: broken };
  if (!isDatabase(away)) throw new Error("no database");
  const answer = await worker.fetch(
    new Request(`${ORIGIN}/api/alive`),
    bindings({ DB: away, SCHEDULER: engine({ report: broken, ensure: broken }) }),
    createExecutionContext(),
  );
  expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
});

test("a database that lacks a migration of this release is 503, and one with a newer release's is not", async () => {
  const deployment = of(async () => aReport());
  await migrated("0001_triggers.sql", after(0));
  const behind = await overview(deployment, after(0));
  await migrated("9999_later.sql", after(0));
  const ahead = await overview(deployment, after(0));
  expect(behind).toMatchObject({ status: "failing", detail: "The database lacks a migration" });
  expect(behind.database).toEqual({ ok: false, schema: "0001_triggers.sql", wanted_schema: WANTED_SCHEMA });
  expect(ahead).toMatchObject({ status: "ok", database: { ok: true, schema: "9999_later.sql" } });
});

const DEADMAN_URL = "https://hc.example/ping/secret-path";

/** Sweeps a deployment, and answers which addresses were called. */
async function swept(report: () => Promise<unknown>): Promise<string[]> {
  const called: string[] = [];
  const fetch = async (url: string | URL | Request) => {
    called.push(String(url));
    return new Response("OK");
  };
  await sweep(of(report, { DEADMAN_URL }), fetch);
  return called;
}

test("the sweep calls the watching service only where every scheduler answers and is on time", async () => {
  expect(await swept(async () => aReport(10))).toEqual([DEADMAN_URL]);
  expect(await swept(async () => aReport(600))).toEqual([]);
  expect(await swept(broken)).toEqual([]);
  expect(await swept(async () => null)).toEqual([]);
});

test("a sweep that has not come for twenty minutes makes the deployment fail", async () => {
  const deployment = of(async () => aReport());
  await swept(async () => aReport());
  await rows("UPDATE scheduler_health SET swept_at = ?", after(0).toISOString());
  expect(await overview(deployment, after(1200))).toMatchObject({ status: "ok", last_sweep_age_sec: 1200 });
  expect(await states(deployment, 1201)).toMatchObject({
    status: "failing",
    detail: "The sweep does not run: the cron triggers are missing",
  });
});

test("one that never came does, too, twenty minutes after there was an organization in the database", async () => {
  const deployment = of(async () => aReport());
  const failing = { status: "failing", detail: "The sweep does not run: the cron triggers are missing" };
  await migrated("9999_later.sql", after(0));
  const founded = (sec: number) => rows("UPDATE organizations SET created_at = ?", after(sec).toISOString());
  // Restored from another deployment, it is older than the database.
  await founded(-86_400);
  expect(await states(deployment, 1200)).toMatchObject({ status: "ok" });
  expect(await states(deployment, 1201)).toMatchObject(failing);
  await founded(86_400);
  expect(await states(deployment, 86_400 + 1200)).toMatchObject({ status: "ok" });
  expect(await states(deployment, 86_400 + 1201)).toMatchObject(failing);
  await rows("DELETE FROM organizations");
  expect(await states(deployment, 172_800)).toMatchObject({ status: "ok" });
});

test("a scheduler that is silent at two sweeps has one alarm, which is over when it answers", async () => {
  const alarms = () => rows("SELECT org_id, kind, what, over_at FROM alarms ORDER BY org_id");
  await swept(broken);
  expect(await alarms()).toEqual([]);
  const earlier = new Date(Date.now() - 181_000).toISOString();
  await rows("UPDATE scheduler_health SET silent_since = ? WHERE org_id = 'city'", earlier);
  for (let i = 0; i < 2; i += 1) await swept(broken);
  expect(await alarms()).toEqual([{ org_id: "city", kind: "scheduler_late", what: "Silent", over_at: null }]);
  await swept(async () => aReport());
  expect(await alarms()).toEqual([expect.objectContaining({ org_id: "city", over_at: expect.any(String) })]);
});

test.each<[string, (init: RequestInit) => Promise<Response>, boolean]>([
  ["200", async () => new Response("OK"), true],
  ["500", async () => new Response("no", { status: 500 }), false],
  ["a redirect", async () => new Response(null, { status: 302, headers: { Location: "http://10.0.0.1/" } }), false],
  ["no connection", () => Promise.reject(new Error(`connect ${DEADMAN_URL}`)), false],
])(
  "a watching service that answers with %s is called once, and its address is not logged",
  async (_, answer, isHeard) => {
    const inits: RequestInit[] = [];
    const fetch = (_url: string, init: RequestInit) => {
      inits.push(init);
      return answer(init);
    };
    expect(await pingDeadman(DEADMAN_URL, fetch)).toBe(isHeard);
    expect(inits).toEqual([expect.objectContaining({ method: "GET", redirect: "manual" })]);
    expect(lines.some((line) => line.includes("deadman."))).toBe(!isHeard);
    expect(lines.join()).not.toContain("secret-path");
  },
);

test("a watching service that never answers is given up after ten seconds", async () => {
  vi.useFakeTimers();
  const calling = pingDeadman(DEADMAN_URL, () => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await calling).toBe(false);
  vi.useRealTimers();
  expect(lines.join()).toContain("deadman.failed");
});

test.each([
  "http://hc.example/x",
  "ftp://hc.example/x",
  "https://localhost/x",
  "https://127.0.0.1/x",
  "https://0x7f.1/x",
  "https://2130706433/x",
  "https://[::1]/x",
  "https://10.1.2.3/x",
  "https://hub.lan/x",
  "https://watch.intranet/x",
  "https://watch.city.private/x",
  "https://watch.localdomain/x",
  "https://user:password@hc.example/x",
  "hc.example",
  "javascript:alert(1)",
])("%s is nobody who watches from outside", async (address) => {
  expect(deadmanUrl(address)).toBeNull();
  expect(await pingDeadman(address, () => Promise.reject(new Error("called")))).toBe(false);
  expect(lines.join()).toContain("deadman.malformed");
});

test("without DEADMAN_URL nothing is called or logged", async () => {
  expect(await pingDeadman(undefined, broken)).toBe(false);
  expect(await pingDeadman(" ", broken)).toBe(false);
  expect(lines).toEqual([]);
});
