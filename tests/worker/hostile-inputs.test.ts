import { beforeAll, describe, expect, test } from "vitest";
import { CONTRACT, type Call, type CallName } from "#worker/api/contract";
import { address, aPlace, example, type Place } from "../support/calls";
import { operation, published, type Document } from "../support/document";
import { anOrganization, aPerson, call, rows, sessionOf } from "../support/door";
import { snapshot } from "../support/everything";

const contract: Record<string, Call> = CONTRACT;
/** Every call with a body, except those below /auth, which end sessions and have tests of their own. */
const WRITES = Object.keys(CONTRACT).filter(
  (name): name is CallName => name in CONTRACT && contract[name]?.body !== undefined && !name.includes(" /auth/"),
);

const VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  "\u0000",
  "\ud800",
  "'; DROP TABLE areas; --",
  "%",
  "💡".repeat(70),
  "x".repeat(200_000),
  [],
  [[[]]],
  {},
  { toString: "x", length: 5 },
  { $ne: null },
];

/** A control character, a bidi override and a lone surrogate. */
const UNPRINTABLE = ["a\u0000b", "a\u001bb", "a\u202eb", "a\u2066b", "a\ud800b", "a\udc00"];

let document: Document;
let place: Place;
let token = "";

beforeAll(async () => {
  await anOrganization("city");
  await aPerson("ada", { city: "admin" });
  await rows("INSERT INTO departments (id, org_id, name) VALUES ('sports', 'city', 'Sports')");
  document = await published();
  place = await aPlace();
  token = await sessionOf("ada");
});

const fieldsOf = (name: CallName) =>
  Object.entries(operation(document, name).requestBody?.content?.["application/json"]?.schema.properties ?? {});

function send(name: CallName, body: unknown) {
  const { method, path } = address(name, example(name, place, ""));
  return call(method, path, { token, body });
}

describe.each(WRITES)("%s", (name) => {
  test("never fails, whatever value a field has", async () => {
    const good = example(name, place, "").body ?? {};
    expect(fieldsOf(name).length).toBeGreaterThan(0);
    for (const [key] of fieldsOf(name)) {
      for (const value of VALUES) {
        const { status, json } = await send(name, { ...good, [key]: value });
        expect([key, value, status < 500]).toEqual([key, value, true]);
        if (status >= 400) expect(json.detail).toEqual(expect.any(String));
      }
    }
  });

  test("refuses text that cannot be stored or shown", async () => {
    const good = example(name, place, "").body ?? {};
    for (const [key] of fieldsOf(name).filter(([, schema]) => isText(schema))) {
      for (const value of UNPRINTABLE) {
        const { status } = await send(name, { ...good, [key]: value });
        expect([key, value, status]).toEqual([key, value, 422]);
      }
    }
  });

  test("refuses a body that is not a JSON object and changes nothing", async () => {
    const before = await snapshot();
    const deep = "[".repeat(50_000) + "]".repeat(50_000);
    for (const text of ["", "{", "null", "[]", "7", '"x"', "[{}]", "NaN", '{"a":1}}', deep]) {
      const { status, json } = await send(name, text);
      expect([text.slice(0, 20), [400, 422].includes(status)]).toEqual([text.slice(0, 20), true]);
      expect(json.detail).toEqual(expect.any(String));
    }
    expect(await snapshot()).toEqual(before);
  });
});

test.each([
  ["POST /admin/webhooks", "url"],
  ["POST /admin/settings", "YOLINK_CLOUD_BASE"],
] as const)("%s refuses an address with such text, or with a line break, in it", async (name, key) => {
  const good = example(name, place, "").body ?? {};
  for (const text of [...UNPRINTABLE, "a\nb", "a\tb"]) {
    const { status, json } = await send(name, { ...good, [key]: `https://api.yosmart.com/${text}` });
    expect([text, status, json.detail]).toEqual([text, 422, expect.stringMatching(/ may not contain control char/)]);
  }
});

/** Free text fields; a value chosen from a list is refused for not being in it. */
function isText(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  if ("anyOf" in schema && Array.isArray(schema.anyOf)) return schema.anyOf.some(isText);
  return "type" in schema && schema.type === "string";
}

test("any id in the path gets an answer", async () => {
  const named = Object.keys(CONTRACT).filter((name) => name.includes("{"));
  for (const id of ["%00", "%27%20OR%201=1", "..%2f..", "x".repeat(5_000), "__proto__", "%F0%9F%92%A1"]) {
    for (const name of named) {
      const [method = "", template = ""] = name.split(" ");
      const path = template.replace(/\{\w+\}/g, id);
      const { status, json } = await call(method, path, { token, body: method === "GET" ? undefined : {} });
      expect([name, id, status]).toEqual([name, id, 404]);
      expect(json.detail).toEqual(expect.any(String));
    }
  }
});

test("an old row with such text breaks no list", async () => {
  await rows(`INSERT INTO areas (id, org_id, name, location) VALUES ('bad', 'city', 'Old', '{"address":"a\\ud800b"}')`);
  const { status, json } = await call("GET", "/areas", { token });
  expect(status).toBe(200);
  expect(json.data.find(({ id }: { id: string }) => id === "bad").location).toEqual({ address: "a\ufffdb" });
});
