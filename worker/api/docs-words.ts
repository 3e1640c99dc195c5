import { html } from "hono/html";
import type { Schema } from "#worker/api/openapi";

type Words = ReturnType<typeof html>;

/** Describes a JSON Schema in words: 'text, 1 to 120 characters', 'list of Area', 'one of on, off, or null'. */
export function inWords(schema: Schema | boolean): Words {
  if (typeof schema === "boolean") return html`anything`;
  const note = schema.description ? html` <small>${schema.description}</small>` : "";
  return html`${kind(schema)}${schema.default === undefined ? "" : html`, ${String(schema.default)} if left out`}${note}`;
}

function kind(schema: Schema): Words {
  const { $ref, anyOf, type, properties, required = [], items } = schema;
  if ($ref) return html`<a href="#${nameOf($ref)}">${nameOf($ref)}</a>`;
  if (Array.isArray(type))
    return joined(
      type.map((one) => kind({ ...schema, type: one })),
      " or ",
    );
  if (anyOf) return joined(anyOf.map(inWords), " or ");
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`;
  if (schema.enum) return html`one of ${schema.enum.join(", ")}`;
  if (schema.type === "array" && items && !Array.isArray(items)) return html`list of ${inWords(items)}`;
  if (properties) {
    const named = Object.entries(properties).map(([name, field]) => {
      return html`<code>${name}${required.includes(name) ? "" : "?"}</code>: ${inWords(field)}`;
    });
    return html`{ ${joined(named, "; ")} }`;
  }
  if (schema.type === "string") return html`${schema.format ?? "text"}${lengths(schema)}`;
  if (schema.type === "integer" || schema.type === "number") return html`${schema.type}${bounds(schema)}`;
  return html`${schema.type ?? "anything"}`;
}

function nameOf(ref: string): string {
  return ref.split("/").at(-1) ?? ref;
}

function joined(words: Words[], by: string): Words {
  return html`${words.map((word, i) => (i === 0 ? word : html`${by}${word}`))}`;
}

function lengths({ minLength, maxLength }: Schema): string {
  if (maxLength === undefined) return minLength ? `, at least ${minLength} characters` : "";
  return minLength ? `, ${minLength} to ${maxLength} characters` : `, at most ${maxLength} characters`;
}

function bounds({ minimum, maximum }: Schema): string {
  if (maximum === undefined) return minimum === undefined ? "" : `, at least ${minimum}`;
  return minimum === undefined ? `, at most ${maximum}` : `, ${minimum} to ${maximum}`;
}
