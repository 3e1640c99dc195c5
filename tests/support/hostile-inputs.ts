import fc from "fast-check";
import type { z } from "zod";

type Schema = z.core.JSONSchema.JSONSchema;

/** Values that have broken servers before. */
const NASTY: unknown[] = [
  null,
  true,
  0,
  -0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  "",
  " ",
  "\u0000",
  "\ud800",
  "\u202e",
  "e\u0301".repeat(100),
  "💡".repeat(61),
  "x".repeat(5_001),
  "x".repeat(100_000),
  "'; DROP TABLE areas; --",
  "%_%",
  "<script>alert(1)</script>",
  "${7*7}{{7*7}}",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "on",
  "null",
  "NaN",
  "2026-02-30T25:61:61Z",
  "9999-12-31T23:59:59.999Z",
  "+275760-09-13T00:00:00.000Z",
  "-000001-01-01T00:00:00Z",
  "2026-11-20T20:00:00+14:00",
  "FREQ=DAILY;COUNT=100;INTERVAL=100000",
  "FREQ=WEEKLY;BYDAY=MO,MO,MO;UNTIL=99991231T235959Z",
  "FREQ=SECONDLY",
  "169.254.169.254",
  "0x7f.1",
  "22:00-22:00",
  [],
  {},
  [[[[]]]],
  { $ne: null },
  { toString: 1, valueOf: 2, length: 3 },
  Array(2_000).fill("x"),
];

/** Bodies that are not a JSON object, or that may trip a parser. */
export const NASTY_BODIES = [
  "",
  " ",
  "{",
  "null",
  "[]",
  '"x"',
  "7",
  "NaN",
  "{'a':1}",
  '{"a":1}}',
  "\ufeff{}",
  '{"__proto__":{"role":"admin"},"constructor":{"prototype":{"x":1}}}',
  '{"name":"a","name":"b","name":null}',
  `{"name":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
  "[".repeat(100_000),
  `{"name":"${"\\u0000".repeat(1_000)}"}`,
  `{${Array.from({ length: 5_000 }, (_, i) => `"k${i}":${i}`).join(",")}}`,
  `{"name":"${"y".repeat(300_000)}"}`,
];

export const nasty: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.jsonValue({ maxDepth: 4 }),
);

/** Values that fit a schema of the document, except that a field may be hostile, missing or extra. */
export function almost(schema: Schema, ids: readonly string[], name = ""): fc.Arbitrary<unknown> {
  const { type } = schema;
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => almost({ ...schema, type: one }, ids, name)));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => almost(asSchema(one), ids, name)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([key, field]) => {
      const value = fc.oneof(
        { weight: 20, arbitrary: almost(asSchema(field), ids, key) },
        { weight: 1, arbitrary: nasty },
      );
      return [key, value] as const;
    });
    const usually = fc.record(Object.fromEntries(fields), {
      requiredKeys: schema.required ?? [],
      noNullPrototype: true,
    });
    const extra = fc.dictionary(fc.string({ maxLength: 12 }), nasty, { maxKeys: 2, noNullPrototype: true });
    return fc.oneof(
      { weight: 8, arbitrary: usually },
      { weight: 1, arbitrary: fc.tuple(extra, usually).map(([more, known]) => ({ ...more, ...known })) },
      { weight: 1, arbitrary: fc.record(Object.fromEntries(fields), { requiredKeys: [], noNullPrototype: true }) },
    );
  }
  if (schema.type === "array") return fc.array(almost(asSchema(schema.items), ids, name), { maxLength: 12 });
  if (schema.type === "integer") return fc.integer({ min: schema.minimum ?? -10, max: schema.maximum ?? 100_000 });
  if (schema.type === "number")
    return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "null") return fc.constant(null);
  if (schema.type === "string") return text(schema, ids, name);
  return nasty;
}

function asSchema(schema: Schema | boolean | undefined | (Schema | boolean)[]): Schema {
  return typeof schema === "object" && !Array.isArray(schema) ? schema : {};
}

function text({ minLength = 0, maxLength = 300 }: Schema, ids: readonly string[], name: string): fc.Arbitrary<string> {
  if (/(^|_)id$|^assigned_to$/.test(name)) return fc.constantFrom(...ids);
  if (/_at$|^since$|^from$|^to$/.test(name)) return soon;
  if (name === "rrule") return rule;
  if (name === "email") return fc.emailAddress();
  return fc.string({
    unit: fc.oneof(fc.constantFrom(..."abc 0189:-.,"), fc.string({ unit: "binary", maxLength: 1 })),
    minLength,
    maxLength: Math.min(maxLength, 60),
  });
}

const soon = fc
  .date({ min: new Date("2026-11-01"), max: new Date("2027-03-01"), noInvalidDate: true })
  .map((date) => date.toISOString());

const rule = fc
  .tuple(
    fc.constantFrom("DAILY", "WEEKLY", "MONTHLY"),
    fc.constantFrom("", ";BYDAY=MO,TH", ";BYDAY=XX", ";BYDAY="),
    fc.constantFrom("", ";COUNT=3", ";COUNT=0", ";COUNT=101", ";UNTIL=20270101T000000Z", ";UNTIL=x"),
    fc.constantFrom("", ";INTERVAL=2", ";INTERVAL=0", ";INTERVAL=9999999"),
  )
  .map(([freq, ...rest]) => `FREQ=${freq}${rest.join("")}`);
