import { VARIABLES, type Name } from "#worker/configuration/variables";

/** A sentence of what is wrong with one secret or setting, without its value; `stops`: the server cannot work like this. */
export type Problem = { name: Name; sentence: string; stops: boolean };

type Values = { readonly [Key in Name]?: unknown };

const NAMES = namesOf(VARIABLES);

/** The declared names, all or those of a kind, in the order of the declaration. */
export function allNames(kind?: "secret" | "var"): Name[] {
  return NAMES.filter((name) => kind === undefined || VARIABLES[name].kind === kind);
}

/** What is missing or malformed among all of them, or among `names`. */
export function problemsOf(values: Values, names: readonly Name[] = NAMES): Problem[] {
  return names.flatMap((name) => {
    const value = values[name];
    return told(name, isEmpty(value) ? missing(name, values) : malformed(name, value));
  });
}

/** What a deployment lacks of which only the names of its secrets can be known. */
export function missingSecrets(set: readonly string[]): Problem[] {
  const values = Object.fromEntries(set.map((name) => [name, name]));
  return allNames("secret").flatMap((name) => told(name, set.includes(name) ? null : missing(name, values)));
}

function told(name: Name, sentence: string | null): Problem[] {
  return sentence === null ? [] : [{ name, sentence, stops: VARIABLES[name].isRequired }];
}

function malformed(name: Name, value: unknown): string | null {
  const { isValid, must, how } = VARIABLES[name];
  return typeof value === "string" && isValid(value) ? null : `${name} must be ${must}: ${how}.`;
}

function missing(name: Name, values: Values): string | null {
  const { isRequired, what, how, together = [] } = VARIABLES[name];
  if (isRequired) return `${name} is missing: it is ${what}. Make one: ${how}.`;
  const others = together.filter((other) => !isEmpty(values[other]));
  const without = others.length > 1 ? "do nothing without it" : "does nothing without it";
  return others.length > 0 ? `${name} is missing: ${others.join(" and ")} ${without}.` : null;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === "string" && value.trim() === "");
}

/** Object.keys would forget that they are names. */
function namesOf(variables: Readonly<Record<Name, unknown>>): Name[] {
  const names: Name[] = [];
  let name: Name;
  for (name in variables) names.push(name);
  return names;
}
