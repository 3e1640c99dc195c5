import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allNames, missingSecrets, problemsOf } from "#worker/configuration/problems";
import { VARIABLES, type Name } from "#worker/configuration/variables";
import { requireConfiguration } from "../worker/local/configuration.mjs";
import { withDatabase } from "../worker/local/database.mjs";
import { makeSecrets } from "../worker/local/secrets.mjs";

const KEY = Buffer.alloc(32, 7).toString("base64");
const GOOD = { SESSION_SECRET: "x".repeat(32), SETTINGS_KEY: KEY };
const sentences = (values: Partial<Record<Name, unknown>>) =>
  problemsOf({ ...GOOD, ...values }).map(({ sentence }) => sentence);

test("the two required secrets are enough", () => {
  expect(sentences({})).toEqual([]);
  expect(problemsOf({}).map(({ name, stops }) => [name, stops])).toEqual([
    ["SESSION_SECRET", true],
    ["SETTINGS_KEY", true],
  ]);
});

test.each<[Name, string]>([
  ["SESSION_SECRET", "x".repeat(31)],
  ["SETTINGS_KEY", Buffer.alloc(31).toString("base64")],
  ["SETTINGS_KEY", Buffer.alloc(33).toString("base64")],
  ["SETTINGS_KEY", "not base64!"],
  ["OPERATOR_TOKEN", "x".repeat(31)],
  ["OPERATOR_TOKEN", `${"x".repeat(20)} ${"x".repeat(20)}`],
  ["TWILIO_ACCOUNT_SID", "SK0123"],
  ["TWILIO_AUTH_TOKEN", "short"],
  ["TWILIO_FROM", "555-0123"],
  ["DEMO", "yes"],
  ["DIRECT_HUBS", "true"],
  ["LOG_RETENTION_DAYS", "0"],
  ["LOG_RETENTION_DAYS", "1.5"],
  ["CLIENT_ADDRESS_HEADER", "CF Connecting IP"],
  ["CONNECTIONS", "5"],
  ["CONNECTIONS", "many"],
  ["MAP_TILES_URL", "http://tiles.city.example/city.pmtiles"],
])("%s must not be '%s', and the sentence does not repeat it", (name, value) => {
  const sentence = sentences({ [name]: value }).find((each) => each.startsWith(name)) ?? "";
  expect(sentence).toMatch(/ must be .+\.$/);
  if (value.length > 6) expect(sentence).not.toContain(value);
});

test("of the secrets that are of use together only, each that is missing has a sentence", () => {
  expect(sentences({ TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`, TWILIO_FROM: "+12025550123" })).toEqual([
    "TWILIO_AUTH_TOKEN is missing: TWILIO_ACCOUNT_SID and TWILIO_FROM do nothing without it.",
  ]);
});

test("of a deployment's secrets only the names can be known", () => {
  expect(missingSecrets(["SESSION_SECRET", "SETTINGS_KEY"])).toEqual([]);
  expect(missingSecrets(["SETTINGS_KEY"]).map(({ name, stops }) => [name, stops])).toEqual([["SESSION_SECRET", true]]);
});

test("npm start prints a sentence for what has a default, and does not start without what everything needs", async () => {
  const lines: string[] = [];
  const start = (more: Partial<Record<Name, string>>) =>
    requireConfiguration({ read: () => Promise.resolve({ ...GOOD, ...more }), print: (line) => lines.push(line) });
  await start({ CONNECTIONS: "2" });
  expect(lines).toEqual(["Note: CONNECTIONS must be a whole number, 6 or more: 6 on Cloudflare, which holds no more."]);
  await expect(start({ SETTINGS_KEY: "c2hvcnQ=" })).rejects.toThrow(
    "The server cannot work with the secrets in .dev.vars:\n- SETTINGS_KEY must be 32 bytes in base64: `openssl rand -base64 32`.",
  );
});

test("wrangler.toml has each var, and .dev.vars.example each secret", () => {
  const named = (file: string) =>
    [...readFileSync(file, "utf8").matchAll(/^([A-Z_]+) ?= ?"/gm)].map(([, name]) => name);
  const [before = ""] = readFileSync("wrangler.toml", "utf8").split("[env.");
  const vars = [...before.matchAll(/^([A-Z_]+) = "/gm)].map(([, name]) => name);
  expect(vars.toSorted()).toEqual(allNames("var").toSorted());
  expect(named(".dev.vars.example").toSorted()).toEqual(allNames("secret").toSorted());
});

test("OPERATING.md has the table of secrets and settings", () => {
  const rows = allNames().map((name) => {
    const { kind, what, isRequired, must, how, change = "" } = VARIABLES[name];
    return `| \`${name}\` | ${kind}${isRequired ? ", required" : ""} | ${what} | ${must} | ${how} | ${change} |`;
  });
  const head = ["| Name | Kind | It is | It must be | From where | A new value |", "|---|---|---|---|---|---|"];
  expect(readFileSync("OPERATING.md", "utf8")).toContain([...head, ...rows].join("\n"));
});

test("local secrets that cannot be read are told in a sentence, and not made anew", async () => {
  const refused = makeSecrets("tests").catch((error: unknown) => error); // a folder
  expect(await refused).toMatchObject({ message: expect.stringContaining("/tests cannot be read: EISDIR") });
});

test("local secrets that cannot be written are told in a sentence", async () => {
  const refused = makeSecrets("tests/nowhere/.dev.vars").catch((error: unknown) => error);
  expect(await refused).toMatchObject({
    message: expect.stringMatching(/nowhere\/\.dev\.vars cannot be written: ENOENT/),
  });
});

test("a configuration that cannot be read is named", async () => {
  const scratch = await mkdtemp(join(tmpdir(), "lamplighter-toml-"));
  try {
    const config = join(scratch, "wrangler.toml");
    await writeFile(config, "bro ken = [");
    await expect(withDatabase(scratch, () => Promise.resolve(), config)).rejects.toThrow(`${config} cannot be read: `);
  } finally {
    await rm(scratch, { recursive: true });
  }
});
