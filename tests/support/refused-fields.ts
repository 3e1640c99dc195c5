import { z } from "zod";
import { CONTRACT, type Call } from "#worker/api/contract";

type Shape = z.core.JSONSchema.JSONSchema;

const CALLS = Object.entries<Call>(CONTRACT).map(([name, call]) => {
  const [method = "", path = ""] = name.split(" ");
  return { name, call, method, address: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`) };
});

/**
 * Refuses an answer that blames a field which its call does not have: no form would show the sentence beside an input. The
 * address is as the API's own routes have it, with its query.
 */
export function checkRefusedFields(method: string, address: string, answer: { errors?: object }): void {
  const [path = ""] = address.split("?");
  const found = CALLS.find((each) => each.method === method && each.address.test(path));
  if (!found) return;
  const { name, call } = found;
  for (const field of Object.keys(answer.errors ?? {})) {
    const isKnown = [call.body, call.query].some((schema) => schema && has(shapeOf(schema), field.split(".")));
    if (!isKnown) throw new Error(`${name} blames '${field}', which is none of its fields`);
  }
}

const shapes = new WeakMap<z.ZodType, Shape>();

function shapeOf(schema: z.ZodType): Shape {
  const shape = shapes.get(schema) ?? z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" });
  shapes.set(schema, shape);
  return shape;
}

/** Whether a schema has a field at this path. What is read from one text, as a page's cursor is, may be blamed in part. */
function has(shape: Shape | boolean | undefined, [first, ...rest]: string[]): boolean {
  if (typeof shape !== "object") return shape === true;
  if (first === undefined) return true;
  const choices = [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.allOf ?? [])];
  if (choices.length > 0) return choices.some((choice) => has(choice, [first, ...rest]));
  const { items, properties, additionalProperties } = shape;
  if (items !== undefined) return !Array.isArray(items) && /^\d+$/.test(first) && has(items, rest);
  if (properties?.[first] !== undefined) return has(properties[first], rest);
  if (typeof additionalProperties === "object") return has(additionalProperties, rest);
  return properties === undefined;
}
