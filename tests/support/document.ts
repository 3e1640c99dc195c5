import { z } from "zod";
import { call } from "./door";

type Schema = z.core.JSONSchema.JSONSchema;
type Content = { content?: Record<string, { schema: Schema }> };
export type Operation = {
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, { description: string } & Content>;
};
export type Document = {
  openapi: string;
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** The published OpenAPI document, fetched as a client does. */
export async function published(): Promise<Document> {
  const { json } = await call("GET", "/openapi.json");
  return json;
}

/** The published operation of 'POST /areas/{id}'. */
export function operation(document: Document, name: string): Operation {
  const [method = "", path = ""] = name.split(" ");
  const found = document.paths[path]?.[method.toLowerCase()];
  if (!found) throw new Error(`${name} is not documented`);
  return found;
}

/** How an answer violates the document, or null. */
export function misfit(document: Document, name: string, status: number, answer: unknown): string | null {
  const response = operation(document, name).responses[status];
  if (!response) return `${name} does not document ${status}`;
  const schema = response.content?.["application/json"]?.schema;
  return schema ? misfitOf(document, schema, answer) : null;
}

/** How a request violates the document, or null. */
export function misfitBody(document: Document, name: string, body: unknown): string | null {
  const schema = operation(document, name).requestBody?.content?.["application/json"]?.schema;
  if (!schema) return body === undefined ? null : `${name} documents no body`;
  return misfitOf(document, schema, body);
}

const readers = new Map<string, z.ZodType>();

function misfitOf(document: Document, schema: Schema, value: unknown): string | null {
  const key = JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/");
  const reader = readers.get(key) ?? readerOf(document, key);
  readers.set(key, reader);
  const { error } = reader.safeParse(value);
  return error ? z.prettifyError(error) : null;
}

function readerOf(document: Document, schema: string): z.ZodType {
  const $defs = JSON.parse(JSON.stringify(document.components.schemas).replaceAll("#/components/schemas/", "#/$defs/"));
  return z.fromJSONSchema({ ...JSON.parse(schema), $defs });
}
