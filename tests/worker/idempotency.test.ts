import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { database } from "#db/database";
import { prune } from "#db/retention";
import { seal } from "#db/sealed";
import { CONTRACT, type Call, type CallName } from "#worker/api/contract";
import { operations } from "#worker/api/openapi";
import { address, aPlace, example, type Place } from "../support/calls";
import { anOrganization, aPerson, call, rows, sessionOf } from "../support/door";

const contract: Record<string, Call> = CONTRACT;
const names = Object.keys(CONTRACT).filter((name): name is CallName => name in CONTRACT);
const creates = names.filter((name) => contract[name]?.status === 201);
const saves = names.filter((name) => contract[name]?.if_match);
// A session of one's own is ended, not deleted: it is no record of the organization.
const removals = names.filter((name) => name.startsWith("DELETE ") && name !== "DELETE /auth/sessions/{id}");
const keyed = [...creates, ...saves, ...removals];

let token = "";
let place: Place;
let bodies: Map<CallName, Record<string, unknown> | undefined>;

beforeAll(async () => {
  await anOrganization("city");
  await aPerson("ada", { city: "admin" });
  await aPerson("bob", { city: "admin" });
  await env.DB.prepare("INSERT INTO departments (id, org_id, name) VALUES ('sports', 'city', 'Sports')").run();
  token = await sessionOf("ada");
});

beforeEach(async () => {
  place = await aPlace();
  bodies = new Map([...creates, ...saves].map((name) => [name, example(name, place, "").body]));
});

function send(name: CallName, key: string, { body = bodies.get(name), by = token, version }: More = {}) {
  const { method, path } = address(name, example(name, place, ""));
  const if_match = version && { "If-Match": version };
  return call(method, path, { token: by, body, headers: { "Idempotency-Key": key, ...if_match } });
}
type More = { body?: Record<string, unknown>; by?: string; version?: string };

const entries = async () => (await rows("SELECT count(*) AS n FROM audit_logs"))[0]?.["n"];

describe.each(creates)("%s", (name) => {
  test("creates once and answers the same when sent twice with one key", async () => {
    const first = await send(name, `twice-${name}`.replaceAll(" ", ""));
    expect(first.status).toBe(201);
    const before = await entries();
    const second = await send(name, `twice-${name}`.replaceAll(" ", ""));
    expect({ status: second.status, json: second.json }).toEqual({ status: 201, json: first.json });
    expect(await entries()).toBe(before);
  });

  test("creates once when sent three times at once with one key", async () => {
    const before = Number(await entries());
    const answers = await Promise.all([1, 2, 3].map(() => send(name, `at-once-${name}`.replaceAll(" ", ""))));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ json }) => JSON.stringify(json))).size).toBe(1);
    expect(await entries()).toBe(before + 1);
  });
});

describe.each(saves)("%s", (name) => {
  // Nobody has a choice of messages of their own before they save one.
  const version = name === "PUT /messages/mine" ? {} : { version: "1" };

  test("saves once and answers the same when sent twice with one key, as after a lost answer", async () => {
    const key = `saved-${name}`.replaceAll(" ", "");
    const first = await send(name, key, version);
    expect(first.status).toBe(200);
    const before = await entries();
    const second = await send(name, key, version);
    expect({ status: second.status, json: second.json }).toEqual({ status: 200, json: first.json });
    expect(await entries()).toBe(before);
  });

  test("saves once when sent three times at once with one key", async () => {
    const before = Number(await entries());
    const key = `saved-at-once-${name}`.replaceAll(" ", "");
    const answers = await Promise.all([1, 2, 3].map(() => send(name, key, version)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await entries()).toBe(before + 1);
  });
});

test.each(removals)("%s deletes once and is answered the same when sent twice with one key", async (name) => {
  const key = `deleted-${name}`.replaceAll(" ", "");
  const first = await send(name, key);
  expect(first.status).toBe(200);
  const before = await entries();
  const second = await send(name, key);
  expect({ status: second.status, json: second.json }).toEqual({ status: 200, json: first.json });
  expect(await entries()).toBe(before);
  expect((await send(name, `other-${key}`)).status).toBe(404);
});

test("the API's document offers the key to each of these calls, and to no other", () => {
  const offered = operations({}).filter(({ parameters }) => parameters.some(({ name }) => name === "Idempotency-Key"));
  expect(offered.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted()).toEqual(keyed.toSorted());
});

test.each([["k"], ["x".repeat(200)], ["6f1d-~!"], [""], ["x".repeat(201)], ["two words"], ["del\u007f"]])(
  "the API's document tells whether '%s' is a key",
  async (key) => {
    const [schema] = operations({}).flatMap(({ parameters }) =>
      parameters.filter(({ name }) => name === "Idempotency-Key").map(({ schema }) => schema),
    );
    const isOffered = new RegExp(schema?.pattern ?? "").test(key);
    const { status } = await send("POST /departments", key, { body: { name: `Of ${key.length}` } });
    expect(status).toBe(isOffered ? 201 : 422);
  },
);

test("what somebody else has saved meanwhile is still refused", async () => {
  await send("PUT /areas/{id}", "theirs", { version: "1", by: await sessionOf("bob") });
  const ours = await send("PUT /areas/{id}", "ours", { version: "1" });
  expect(ours.status).toBe(409);
});

test("a save with a key that has served another record is refused", async () => {
  await send("PUT /areas/{id}", "served");
  expect((await send("PUT /hubs/{id}", "served")).status).toBe(422);
});

test("a deeply nested body with a key is refused in a sentence", async () => {
  const body = `{"name":"Oak","x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
  const deep = await call("POST", "/areas", { token, body, headers: { "Idempotency-Key": "deep" } });
  expect(deep).toMatchObject({ status: 422, json: { detail: "The request is nested too deeply." } });
});

test("refuses the same key with another body and creates nothing", async () => {
  await send("POST /areas", "other-body", { body: { name: "Oak" } });
  const before = await entries();
  const { status, json } = await send("POST /areas", "other-body", { body: { name: "Elm" } });
  expect(status).toBe(422);
  expect(json.detail).toBe(
    "This was sent already with other content. Look whether it was saved before you send it again.",
  );
  expect(await entries()).toBe(before);
});

test("a body with its fields in another order is the same", async () => {
  const { json } = await send("POST /areas", "order", { body: { name: "Oak", type: "river" } });
  expect((await send("POST /areas", "order", { body: { type: "river", name: "Oak" } })).json).toEqual(json);
});

test("a key belongs to the person who sent it", async () => {
  const ours = await send("POST /areas", "shared", { body: { name: "Oak" } });
  const theirs = await send("POST /areas", "shared", { body: { name: "Elm" }, by: await sessionOf("bob") });
  expect(theirs.status).toBe(201);
  expect(theirs.json.data.id).not.toBe(ours.json.data.id);
});

test("a refused request can be corrected and sent with the same key", async () => {
  expect((await send("POST /areas", "mended", { body: { name: "" } })).status).toBe(422);
  expect((await send("POST /areas", "mended", { body: { name: "Oak" } })).status).toBe(201);
});

test("a key expires after a day and is deleted", async () => {
  const first = await send("POST /areas", "old", { body: { name: "Oak" } });
  await env.DB.prepare("UPDATE idempotency_keys SET created_at = '2020-01-01T00:00:00.000Z' WHERE key = 'old'").run();
  const second = await send("POST /areas", "old", { body: { name: "Oak" } });
  expect(second.json.data.id).not.toBe(first.json.data.id);
  await env.DB.prepare("UPDATE idempotency_keys SET created_at = '2020-01-01T00:00:00.000Z' WHERE key = 'old'").run();
  const db = database(env.DB);
  await prune(db, new Date(), 400);
  expect(await rows("SELECT key FROM idempotency_keys WHERE key = 'old'")).toEqual([]);
});

test("stored answers are encrypted", async () => {
  await send("POST /areas", "sealed", { body: { name: "Find me if you can" } });
  const [row] = await rows("SELECT sealed_answer FROM idempotency_keys WHERE key = 'sealed'");
  expect(row?.["sealed_answer"]).toMatch(/^v1\./);
  expect(row?.["sealed_answer"]).not.toContain("Find me");
});

test("returns the current record if the first answer was lost", async () => {
  const first = await send("POST /areas", "lost", { body: { name: "Oak" } });
  await env.DB.prepare("UPDATE idempotency_keys SET sealed_answer = NULL WHERE key = 'lost'").run();
  expect((await send("POST /areas", "lost", { body: { name: "Oak" } })).json).toEqual(first.json);
});

test.each([
  ["POST /areas", 201],
  ["POST /admin/agents", 409],
  ["POST /users", 409],
] as const)("after a new SETTINGS_KEY %s with a used key is answered as after a lost answer", async (name, status) => {
  const key = `rekeyed-${name}`.replaceAll(" ", "");
  await send(name, key);
  const sealed = await seal("{}", btoa("k".repeat(32)));
  await env.DB.prepare("UPDATE idempotency_keys SET sealed_answer = ? WHERE key = ?").bind(sealed, key).run();
  const before = await entries();
  expect((await send(name, key)).status).toBe(status);
  expect(await entries()).toBe(before);
});

test.each(["", " ", "x".repeat(201), "two words"])("refuses the key %j", async (key) => {
  const { status } = await send("POST /areas", key, { body: { name: "Oak" } });
  expect(status).toBe(422);
});
