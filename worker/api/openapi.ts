import { z } from "zod";
import { CAPABILITIES } from "#domain/organization/permissions";
import { VERSION } from "#domain/version";
import { CONTRACT, type Call } from "#worker/api/contract";
import { IDEMPOTENCY_KEY } from "#worker/services/once";

export type Schema = z.core.JSONSchema.JSONSchema;
type Parameter = { name: string; in: "path" | "query" | "header"; required: boolean; schema: Schema };
type Content = { content: Record<string, { schema: Schema }> };

/** One operation of the document, with its method and path. */
export type Operation = {
  method: string;
  path: string;
  who: string;
  summary: string;
  parameters: Parameter[];
  requestBody?: { required: true } & Content;
  responses: Record<string, { description: string } & Partial<Content>>;
};

/** The contract as OpenAPI 3.1, generated from the schemas that validate the input, so that the two cannot differ. */
export const openApi = once(() => {
  const components: Record<string, Schema> = { Problem: rendered(problem, "output", {}) };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, who, ...operation } of operations(components)) {
    const security = who === "anyone" ? { security: [] } : {};
    const operationId = `${method}${path}`.replace(/\W+/g, "_").replace(/_$/, "");
    const tags = [topicOf(path)];
    paths[path] = {
      ...paths[path],
      [method]: { operationId, tags, description: `Permitted to ${who}.`, ...operation, ...security },
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Lamplighter",
      version: VERSION,
      description:
        "See, switch and schedule the lights of a city's parks, fields, rivers and paths. " +
        "The screens hear what changes on a WebSocket, `GET /live`, which is not below `/api` and takes the session cookie " +
        "of a page of the same origin and no bearer; clients of the API ask again.",
    },
    servers: [{ url: "/api" }],
    security: [{ bearer: [] }],
    paths,
    components: { schemas: components, securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
  };
});

/** The operation of each call; adds the records that they use to `components`. */
export function operations(components: Record<string, Schema>): Operation[] {
  return Object.entries<Call>(CONTRACT).map(([name, call]) => {
    const [method = "", path = ""] = name.split(" ");
    const schema = rendered(call.answer, "output", components);
    const answer = { [call.media_type ?? "application/json"]: { schema } };
    const refusals = refusalsOf(name, call).map((status) => [status, REFUSALS[status]]);
    return {
      method: method.toLowerCase(),
      path,
      who: whoMay(call),
      summary: [call.does, ...(call.query ? rulesOf(call.query) : []).map((rule) => `${rule}.`)].join(" "),
      parameters: [
        ...pathParameters(path),
        ...queryParameters(call, components),
        ...(call.if_match ? [ifMatch] : []),
        ...(takesKey(call) ? [idempotencyKey] : []),
      ],
      ...(call.body && {
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: rendered(call.body, "input", components) },
            ...(call.also_takes && { [call.also_takes]: { schema: { type: "string" } } }),
          },
        },
      }),
      responses: {
        [call.status ?? 200]: { description: "Done.", content: answer },
        ...Object.fromEntries(
          refusals.map(([status, description]) => [
            status,
            { description, content: { "application/json": { schema: PROBLEM } } },
          ]),
        ),
        ...(call.reports_failure && {
          503: { description: FAILING, content: { "application/json": { schema: { anyOf: [schema, PROBLEM] } } } },
        }),
      },
    };
  });
}

/** Whether the call is made once for each Idempotency-Key. */
function takesKey({ status, if_match, once }: Pick<Call, "status" | "if_match" | "once">): boolean {
  return status === 201 || if_match === true || once === true;
}

/** The error statuses of a call, apart from 500. */
function refusalsOf(
  name: string,
  { may, body, query, status, if_match, once, by_department, also = [] }: Call,
): number[] {
  const all = [
    // Anyone signed in may get a 403, if a password or a second factor is due first; who that is the database says.
    ...(may === "anyone" ? [] : [401, 403, 503]),
    ...(name.includes("{") ? [404] : []),
    ...(name.startsWith("GET ") ? [400] : [413]),
    ...(body ? [400, 415, 422] : []),
    ...(query ? [422] : []),
    ...(status === 201 ? [409] : []),
    ...(if_match ? [409, 422] : []),
    ...(once ? [422] : []),
    ...(by_department ? [403] : []),
    ...also,
  ];
  return [...new Set(all)].toSorted();
}

/** The tag of a call. */
export function topicOf(path: string): string {
  const [, topic = ""] = path.split("/");
  return topic === "openapi.json" ? "docs" : topic;
}

const EVERYONE = "everyone who is signed in";

function whoMay({ may }: Pick<Call, "may">): string {
  if (may === "anyone") return may;
  if (may === "signed in") return EVERYONE;
  const roles = CAPABILITIES[may];
  return roles.length === 3 ? EVERYONE : roles.join(" and ");
}

const problem = z.object({
  detail: z.string().min(1).describe("A sentence to show to people."),
  errors: z.record(z.string(), z.string()).describe("A sentence for each field that is not valid.").optional(),
  request_id: z.string().describe("Finds a fault of the server in its log.").optional(),
});

const REFUSALS: Record<number, string> = {
  400: "The body is not valid JSON, or there is one where the call takes none.",
  401: "Not signed in, or the session has ended; at a sign-in, what was given is wrong or not enough.",
  403: "The person is not permitted to do this.",
  404: "No such record, or not one that this person can see.",
  409: "The record has changed since it was read, or its state does not allow this.",
  413: "The body is over 256 KiB, a calendar's over 1.5 MiB, or an import's over 11 MiB.",
  415: "The Content-Type is not application/json.",
  422: "A field is not valid; `errors` says which.",
  429: "Too many attempts; Retry-After says how many seconds to wait.",
  503:
    "The database, the switching engine or the archive did not answer, or too many people are signing in at this moment; " +
    "Retry-After, where there is one, says how many seconds to wait.",
};

const PROBLEM: Schema = { $ref: "#/components/schemas/Problem" };

const FAILING =
  "Something fails, and `detail` says what; the other fields are missing where nothing is configured yet.";

const ifMatch: Parameter = {
  name: "If-Match",
  in: "header",
  required: false,
  schema: { type: "string", description: "The version of the record as it was read. Without it, the last write wins." },
};

const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: {
    type: "string",
    minLength: 1,
    maxLength: 200,
    pattern: IDEMPOTENCY_KEY.source,
    description:
      "Letters, digits and signs of your own, without spaces. Sent again within 24 hours, the same request answers what the first one did.",
  },
};

function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

/** Query parameters arrive as text; this documents the type that they are parsed to. */
function queryParameters({ query }: Call, components: Record<string, Schema>): Parameter[] {
  return Object.entries(query?.shape ?? {}).map(([name, field]) => {
    const read = rendered(field, "output", components);
    const schema = read.type === "integer" ? read : rendered(field, "input", components);
    return { name, in: "query", required: false, schema };
  });
}

/** The schema as JSON Schema, with its records by reference and added to `components`. */
function rendered(schema: z.core.$ZodType, io: "input" | "output", components: Record<string, Schema>): Schema {
  const {
    $schema: _,
    $defs = {},
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      plain(jsonSchema);
      tellRules(zodSchema, jsonSchema);
    },
  });
  for (const [name, record] of Object.entries($defs)) components[name] = referring(record);
  return referring(rest);
}

/** Leaves out patterns that repeat the format, and the bounds of every JSON integer. */
function plain(schema: Schema): void {
  if (schema.format) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

/** What JSON Schema cannot say is told in words: the schema's own, else those that refuse what breaks it. */
function tellRules(asked: z.core.$ZodType, schema: Schema): void {
  const rules = asked instanceof z.ZodType ? rulesOf(asked) : [];
  if (rules.length > 0) schema.description ??= rules.join(". ");
}

/** The sentences with which a schema refuses what its types and bounds allow. */
function rulesOf({ def }: z.ZodType): string[] {
  const refusals = (def.checks ?? []).map((check) =>
    check instanceof z.ZodCustom ? check.def.error?.({ code: "custom", input: undefined, path: [] }) : null,
  );
  return [...new Set(refusals.filter((refusal) => typeof refusal === "string"))];
}

function referring(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
