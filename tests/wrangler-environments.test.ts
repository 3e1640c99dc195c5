import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";

/** Which environment a configuration is of, and what a deployment may choose: its name and its address. */
const OWN = ["name", "targetEnvironment", "route", "routes", "account_id"];
/** What a deployment has of its own for a resource that the top level names, too. */
const RESOURCE = ["database_name", "database_id", "bucket_name", "dataset", "namespace_id"];
const PLACEHOLDER = /^[0-]+$/;

const local = unstable_readConfig({ config: "wrangler.toml" }, { hideWarnings: true });
const deployed = ["staging", "production"] as const;
const configOf = (env: string) => unstable_readConfig({ config: "wrangler.toml", env }, { hideWarnings: true });

test.each(deployed)("%s has every binding, var, limit, trigger and migration of the top level", (env) => {
  expect(shape(configOf(env))).toEqual(shape(local));
});

test("nothing that stores is shared by two environments", () => {
  const all = [local, ...deployed.map(configOf)].flatMap(resources);
  expect(all.length).toBeGreaterThan(0);
  expect(all.filter((resource, at) => all.indexOf(resource) !== at)).toEqual([]);
});

test.each(deployed)("%s has no demo accounts", (env) => {
  expect(configOf(env).vars["DEMO"]).toBe("off");
});

/** The configuration without what an environment has of its own: of the vars their names, of the resources their bindings. */
function shape(config: object): unknown {
  const entries = Object.entries(config).filter(([key]) => !OWN.includes(key));
  return without(
    Object.fromEntries(entries.map(([key, value]) => [key, key === "vars" ? Object.keys(value).toSorted() : value])),
  );
}

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !RESOURCE.includes(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, without(inner)]));
}

/** Each resource of a configuration as `<what>: <which>`, without the ids that a city has yet to fill in. */
function resources(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(resources);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    RESOURCE.includes(key) && !PLACEHOLDER.test(String(inner)) ? [`${key}: ${String(inner)}`] : resources(inner),
  );
}
