import { SELF } from "cloudflare:test";
import { expect, test } from "vitest";
import { z } from "zod";
import { MAX_NAME, MAX_NOTES, MAX_TITLE } from "#domain/fields/limits";
import { LIVE_PATH } from "#domain/lists/live";
import { CONTRACT, type Call } from "#worker/api/contract";
import { api } from "#worker/api/index";
import { call, ORIGIN } from "../support/door";
import { published } from "../support/document";

/** The calls that the specification names. */
const SPECIFIED = [
  "POST /auth/login",
  "GET /auth/me",
  "POST /auth/switch-dept",
  "GET /dashboard",
  "GET /areas",
  "POST /areas",
  "PUT /areas/{id}",
  "DELETE /areas/{id}",
  "GET /hubs",
  "GET /health/hubs",
  "POST /hubs",
  "PUT /hubs/{id}",
  "DELETE /hubs/{id}",
  "GET /devices",
  "POST /devices",
  "PUT /devices/{id}",
  "DELETE /devices/{id}",
  "POST /devices/{id}/toggle",
  "GET /departments",
  "GET /users",
  "GET /schedules",
  "POST /schedules",
  "PUT /schedules/{id}",
  "PUT /schedules/{id}/cancel",
  "GET /workorders",
  "POST /workorders",
  "PUT /workorders/{id}",
  "DELETE /workorders/{id}",
  "GET /history/events",
  "GET /admin/audit-logs",
  "GET /admin/connectivity/logs",
  "POST /admin/connectivity/ping-hub",
  "POST /admin/connectivity/status",
  "POST /admin/connectivity/action",
  "GET /admin/settings",
  "POST /admin/settings",
  "GET /admin/settings/guardrails",
  "POST /admin/settings/guardrails",
  "GET /departments/{id}/members",
  "POST /departments/{id}/members",
  "DELETE /departments/{id}/members/{user_id}",
  "GET /scheduler/events",
];

const documented = async () => {
  const { paths } = await published();
  return Object.entries(paths).flatMap(([path, calls]) =>
    Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`),
  );
};
const mounted = () => {
  const served = api.routes.filter(({ method }) => method !== "ALL");
  const names = served.map(({ method, path }) => `${method} ${path.replace("/api", "").replace(/:(\w+)/g, "{$1}")}`);
  return [...new Set(names)];
};

test("mounts and documents every call of the specification", async () => {
  expect(mounted()).toEqual(expect.arrayContaining(SPECIFIED));
  expect(await documented()).toEqual(expect.arrayContaining(SPECIFIED));
});

test("mounts exactly the documented calls", async () => {
  expect(mounted().toSorted()).toEqual((await documented()).toSorted());
});

test("the document is OpenAPI 3.1 without dangling references", async () => {
  const document = await published();
  expect(document.openapi).toBe("3.1.0");
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref);
  const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
  expect(known).toEqual(expect.arrayContaining([...new Set(refs)]));
  const ids = Object.values(document.paths).flatMap((calls) =>
    Object.values(calls).map((one) => Reflect.get(one, "operationId")),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test("the document has the schemas' bounds", async () => {
  const { paths } = await published();
  const area = paths["/areas"]?.["post"]?.requestBody?.content?.["application/json"]?.schema;
  expect(area).toMatchObject({
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string", minLength: 1, maxLength: 120 },
      type: { enum: expect.arrayContaining(["river"]) },
    },
  });
  const limit = paths["/history/events"]?.["get"]?.parameters.find(({ name }) => name === "limit");
  expect(limit?.schema).toMatchObject({ type: "integer", minimum: 1, maximum: 1000, default: 100 });
});

test("a text of one name may be as long in each call that takes it", async () => {
  const { paths } = await published();
  const longest = new Map<string, Set<number>>();
  for (const { requestBody } of Object.values(paths).flatMap((calls) => Object.values(calls)))
    for (const [name, field] of Object.entries(fieldsOf(requestBody?.content?.["application/json"]?.schema)))
      for (const [, bound] of JSON.stringify(field).matchAll(
        /^\{(?:"anyOf":\[\{)?"type":"string"[^{}]*?"maxLength":(\d+)/g,
      ))
        longest.set(name, (longest.get(name) ?? new Set()).add(Number(bound)));
  expect([...longest].filter(([, bounds]) => bounds.size > 1)).toEqual([]);
  expect(longest.get("name")).toEqual(new Set([MAX_NAME]));
  expect(longest.get("title")).toEqual(new Set([MAX_TITLE]));
  expect(longest.get("notes")).toEqual(new Set([MAX_NOTES]));
});

test("what a schema refuses beyond types and bounds is told in the document, in words", async () => {
  const told = JSON.stringify(await published());
  const untold = rulesOf(CONTRACT).filter(([, rule]) => !told.includes(JSON.stringify(rule).slice(1, -1)));
  expect(untold).toEqual([]);
});

test("the document and the page say that the socket is not below /api, where nothing answers", async () => {
  expect((await SELF.fetch(`${ORIGIN}${LIVE_PATH}`)).status).toBe(426);
  expect((await call("GET", LIVE_PATH)).status).toBe(404);
  const words = (text: string) => text.replace(/<[^>]+>|`/g, "").replace(/\s+/g, " ");
  const page = await (await SELF.fetch(`${ORIGIN}/api/docs`)).text();
  const said = `GET ${LIVE_PATH}, which is not below /api`;
  expect(words((await published()).info.description)).toContain(said);
  expect(words(page)).toContain(said);
});

test("the document and the page need no sign-in", async () => {
  expect((await call("GET", "/openapi.json")).status).toBe(200);
  expect((await call("GET", "/openapi.json", { token: "nonsense" })).status).toBe(200);
});

test("the page lists every call, runs no script and loads nothing", async () => {
  const response: Response = await SELF.fetch(`${ORIGIN}/api/docs`);
  expect(response.headers.get("Content-Type")).toMatch(/^text\/html/);
  const page = await response.text();
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  const nonce = /^default-src 'none'; .*; style-src 'nonce-([\w+/=]{24})'$/.exec(policy)?.[1];
  expect(page).toContain(`<style nonce="${nonce}">`);
  expect(page).not.toMatch(
    /<script|<link|<img|\ssrc=|\sstyle=|https?:\/\/|url\(|@import|undefined|stringnull|\[object/,
  );
  for (const name of await documented()) expect(page).toContain(`<code>${name.split(" ")[1]}</code>`);
});

function fieldsOf(schema: unknown): Record<string, unknown> {
  return Object(Object(schema).properties);
}

/** Of each refinement of what calls take, the words that tell it: its message, or its schema's description. */
function rulesOf(contract: Record<string, Call>): [name: string, rule: string][] {
  const rules: [string, string][] = [];
  const look = (schema: z.ZodType, name: string, around?: string) => {
    const described = schema.description ?? around;
    for (const check of schema.def.checks ?? []) {
      if (!(check instanceof z.ZodCustom)) continue;
      const refusal = check.def.error?.({ code: "custom", input: undefined, path: [] });
      rules.push([name, described ?? String(refusal)]);
    }
    for (const [key, part] of partsOf(schema.def)) {
      look(part, `${name} ${key}`, schema instanceof z.ZodOptional ? described : undefined);
    }
  };
  for (const [name, { body, query }] of Object.entries(contract)) {
    for (const schema of [body, query]) if (schema) look(schema, name);
  }
  return rules;
}

/** The schemas that one is made of: of an object its fields, of a list its element, of a wrapper what it wraps. */
function partsOf(def: object): [string, z.ZodType][] {
  return Object.entries(def).flatMap(([key, value]) => {
    if (value instanceof z.ZodType) return [[key, value]];
    return key === "shape" || key === "options" ? partsOf(value) : [];
  });
}
