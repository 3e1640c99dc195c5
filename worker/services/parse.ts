import type { z } from "zod";
import { Refusal, type FieldErrors } from "#domain/errors";
import { isObject } from "#domain/fields/json";

/**
 * The input parsed by the schema. Refuses with `invalid` (422): the first message is the detail, and each field's first
 * message is in `fields`. Messages come from the schema, or from here if it has none.
 */
export function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  if (!isObject(input)) {
    throw new Refusal("invalid", "The request body must be a JSON object");
  }
  const result = schema.safeParse(input, { error: sentence });
  if (result.success) return result.data;
  throw new Refusal("invalid", result.error.issues[0]?.message ?? "The request is not valid", {
    fields: fieldErrors(result.error),
  });
}

function sentence(issue: { code?: string; input?: unknown; path?: PropertyKey[] | undefined }): string {
  const field = issue.path?.map(String).join(".") || "The request";
  if (issue.input === undefined) return `${field} is required`;
  if (issue.code === "too_big") return `${field} is too long or too large`;
  if (issue.code === "too_small") return `${field} is too short or too small`;
  return `${field} is not valid`;
}

function fieldErrors(error: z.ZodError): FieldErrors {
  const fields = new Map<string, string>();
  for (const { path, message } of error.issues) {
    const field = path.map(String).join(".");
    if (field && !fields.has(field)) fields.set(field, message);
  }
  return Object.fromEntries(fields);
}
