import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { CONTRACT, type CallName } from "#worker/api/contract";
import { address, aPlace, example, type Place } from "../support/calls";
import { misfit, operation, published, type Document } from "../support/document";
import { anOrganization, aPerson, call, sessionOf } from "../support/door";
import { aHarbor, HARBOR_IDS, MARKER, rowsOfHarbor } from "../support/harbor";
import { ORGANIZATION_TABLES } from "../support/organization-tables";
import { almost, nasty, NASTY_BODIES } from "../support/hostile-inputs";

const REQUESTS = env.HUNT;
const sessions = new Map<string, string>();
const tally = new Map<number, number>();
const PEOPLE = ["admin", "manager", "employee", "org_admin", "auditor", "nobody"] as const;
const CONTENT_TYPES = [
  "application/json",
  "Application/JSON; charset=utf-7",
  "text/plain",
  "application/xml",
  "multipart/form-data",
  "",
  "application/json, x",
];
const IF_MATCH = ["1", '"1"', 'W/"2"', "*", "x", "-1", "1e9", "99999999999999999999", ""];

let document: Document;
let place: Place;
let harbor: Record<string, unknown[]>;

beforeAll(async () => {
  await anOrganization("city");
  await aPerson("admin", { city: "admin" });
  await aPerson("manager", { city: "manager" });
  await aPerson("employee", { city: "employee" });
  await aPerson("org_admin", { city: "org_admin" });
  await aPerson("auditor", { city: "manager" });
  await aHarbor();
  await env.DB.batch(
    [
      "INSERT INTO departments (id, org_id, name) VALUES ('sports', 'city', 'Sports')",
      `INSERT INTO dept_memberships (id, org_id, dept_id, user_id, role) VALUES ('e', 'city', 'sports', 'employee', 'dept_staff'), ('a', 'city', 'sports', 'auditor', 'dept_auditor')`,
    ].map((statement) => env.DB.prepare(statement)),
  );
  document = await published();
  harbor = await ofHarbor();
});

// Restores what an earlier call deleted.
beforeEach(async () => {
  sessions.clear();
  place = await aPlace();
});

test.each(namesOf())(
  "%s answers any input as documented and reveals nothing of another organization",
  async (name) => {
    const property = fc.asyncProperty(request(name), async ({ who, path, query, headers, body }) => {
      const token = await tokenOf(who, name);
      const { method } = address(name, {});
      const answer = await call(method, `${path}${query}`, { ...(token ? { token } : {}), headers, body });
      const told = typeof answer.json === "string" ? answer.json : JSON.stringify(answer.json);
      expect(told).not.toContain(MARKER);
      tally.set(answer.status, (tally.get(answer.status) ?? 0) + 1);
      if (answer.status === 404 && answer.json?.detail === "Not found") return; // the hostile path no longer matched this call
      expect({ status: answer.status, misfit: misfit(document, name, answer.status, answer.json) }).toEqual({
        status: answer.status,
        misfit: null,
      });
      if (answer.status >= 400) expect(answer.json.detail).toMatch(/\S/);
    });
    await fc.assert(property, { numRuns: Math.max(20, Math.ceil(REQUESTS / namesOf().length)) });
  },
  Math.max(60_000, REQUESTS * 20),
);

test("the other organization has a row in each table", async () => {
  const { scheduler_health: _, ...tables } = await rowsOfHarbor();
  const empty = ORGANIZATION_TABLES.filter((name) => tables[name]?.length === 0);
  expect(empty, "without a row here nothing shows that it stays with its own organization").toEqual([]);
});

test("enough of the generated requests succeeded", () => {
  const done = (tally.get(200) ?? 0) + (tally.get(201) ?? 0);
  expect(done).toBeGreaterThan(REQUESTS / 10);
});

test("the other organization is unchanged in the end", async () => {
  expect(await ofHarbor()).toEqual(harbor);
});

/** Calls below /auth may end the session, so each gets one of its own. */
async function tokenOf(who: (typeof PEOPLE)[number], name: CallName): Promise<string | undefined> {
  if (who === "nobody") return undefined;
  const token = (name.includes("/auth/") ? undefined : sessions.get(who)) ?? (await sessionOf(who));
  sessions.set(who, token);
  return token;
}

function namesOf(): CallName[] {
  const calls: Record<string, unknown> = CONTRACT;
  return Object.keys(calls).filter((name): name is CallName => name in CONTRACT && name !== "GET /docs");
}

/** A request that is valid, almost valid, or hostile in its path, query, headers or body. */
function request(name: CallName) {
  const { parameters, requestBody } = operation(document, name);
  const ids = [...Object.values(place), ...HARBOR_IDS, "nowhere"];
  const own = example(name, place, "nobody@parks.example");
  const id = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ids).map(encodeURIComponent) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("%00", "%27%20OR%201=1", "..%2f..", "%", "%ff", "x".repeat(2_000), "__proto__"),
    },
  );
  const path = fc
    .tuple(fc.boolean(), id, id)
    .map(([good, ...others]) =>
      good
        ? address(name, { ...own, query: undefined }).path
        : pathOf(name).replace(/\{\w+\}/g, () => others.pop() ?? "x"),
    );
  const fields = parameters.filter((parameter) => parameter.in === "query");
  const query = fc
    .record(
      Object.fromEntries(fields.map((field) => [field.name, fc.oneof(almost(field.schema, ids, field.name), nasty)])),
      {
        requiredKeys: [],
        noNullPrototype: true,
      },
    )
    .map((values) => `?${new URLSearchParams(Object.entries(values).map(([key, value]) => [key, wellFormed(value)]))}`);
  const schema = requestBody?.content?.["application/json"]?.schema ?? {};
  const body = fc.oneof(
    { weight: 12, arbitrary: almost(schema, [...ids, "sports"]).map(harmless) },
    { weight: 2, arbitrary: fc.constant(own.body) },
    { weight: 2, arbitrary: fc.constantFrom(...NASTY_BODIES) },
    { weight: 1, arbitrary: nasty.map(harmless) },
  );
  const headers = fc.record({
    "Content-Type": fc.oneof(
      { weight: 12, arbitrary: fc.constant("application/json") },
      fc.constantFrom(...CONTENT_TYPES),
    ),
    "If-Match": fc.oneof({ weight: 4, arbitrary: fc.constant("*") }, fc.constantFrom(...IF_MATCH)),
    "CF-Connecting-IP": fc.constantFrom("10.0.0.1", "", "x"),
  });
  const who = fc.oneof({ weight: 4, arbitrary: fc.constant("admin" as const) }, fc.constantFrom(...PEOPLE));
  const sent = name.startsWith("GET") ? fc.constant(undefined) : body;
  return fc.record({ who, path, query, headers, body: sent });
}

function pathOf(name: CallName): string {
  return name.split(" ")[1] ?? "";
}

function wellFormed(value: unknown): string {
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, 2_000);
}

/** Keeps the mock provider, so that nothing leaves this machine, and keeps this test's people. */
function harmless(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  return "PROVIDER_MODE" in body && body.PROVIDER_MODE !== "mock" ? { ...body, PROVIDER_MODE: "real" } : body;
}

/** What nobody of this one may change. */
async function ofHarbor(): Promise<Record<string, unknown[]>> {
  // How each scheduler was found is not the organization's: whoever asks for the deployment's health has it noted.
  const { scheduler_health: _, ...tables } = await rowsOfHarbor();
  return tables;
}
