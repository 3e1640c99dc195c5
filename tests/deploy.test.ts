import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { version } from "../package.json";
import { withDatabase } from "../worker/local/database.mjs";
import { deploy } from "../worker/local/deploy.mjs";
import type { Ran } from "../worker/local/wrangler.mjs";
import { aDeployment } from "./support/a-deployment";

const SET = JSON.stringify(["SESSION_SECRET", "SETTINGS_KEY"].map((name) => ({ name, type: "secret_text" })));
const printed: string[] = [];
const deployments: { remove: () => void }[] = [];
afterEach(() => {
  printed.length = 0;
  for (const deployment of deployments.splice(0)) deployment.remove();
});

const print = (line: string) => void printed.push(line);

function deployment(secrets: Partial<Ran>, play: (args: string[]) => Partial<Ran> | null = () => ({})) {
  const made = aDeployment((args) => (args[0] === "secret" ? secrets : play(args)));
  deployments.push(made);
  const start = () =>
    deploy(["--env", "production", "--config", made.config], { run: made.run, print, commit: "0123abc" });
  return { ...made, start };
}

test("deploys after the migrations, and says how to check it", async () => {
  const stdout =
    'env.MAP_TILES_URL ("https://tiles.city.example/...")  Environment Variable\n' +
    "Deployed lamplighter-production triggers (0.42 sec)\n  https://lamplighter-production.city.workers.dev\n";
  const { calls, start } = deployment({ stdout: SET }, () => ({ stdout }));
  await start();
  expect(calls).toEqual([
    "secret list",
    "deploy --dry-run --outdir .wrangler/dry-run/production",
    "d1 migrations apply DB --remote",
    `deploy --tag v${version} --message Version ${version} --var COMMIT:0123abc`,
  ]);
  expect(printed.join("\n")).toContain("npm run smoke -- https://lamplighter-production.city.workers.dev");
  expect(printed.join("\n")).toContain("Their values cannot be read back");
});

test.each<[string, Partial<Ran>, RegExp]>([
  [
    "there is no worker yet",
    { code: 1, output: 'Worker "lamplighter-production" not found.' },
    /SESSION_SECRET is missing: /,
  ],
  [
    "a secret is missing",
    { stdout: '[{"name":"SESSION_SECRET"}]' },
    /SETTINGS_KEY is missing: .*secret put NAME --env production/s,
  ],
  ["nobody is signed in", { code: 1, output: "set a CLOUDFLARE_API_TOKEN environment variable" }, /npx wrangler login/],
  ["there is no network", { code: 1, output: "TypeError: fetch failed" }, /could not be reached/],
])("changes nothing where %s", async (_, secrets, sentence) => {
  const { calls, start } = deployment(secrets);
  await expect(start()).rejects.toThrow(sentence);
  await expect(start()).rejects.toThrow(/^Nothing was deployed/);
  expect(calls).toEqual(["secret list", "secret list"]);
});

test("notes a secret that is of no use without another, and one that nothing reads", async () => {
  const names = [...JSON.parse(SET), { name: "TWILIO_FROM" }, { name: "OPERATOR_TOKN" }];
  await deployment({ stdout: JSON.stringify(names) }).start();
  expect(printed.join("\n")).toContain("Note: TWILIO_AUTH_TOKEN is missing: TWILIO_FROM does nothing without it.");
  expect(printed.join("\n")).toContain("Note: nothing reads the secret OPERATOR_TOKN");
});

test.each([
  [[], "Say which deployment is meant: --env staging or --env production."],
  [["--env", "prod"], "not 'prod'"],
  [["--env", "production", "--force"], "Usage:"],
  [["--env", "production"], "npx wrangler d1 create lamplighter-production"],
  [["--env", "production", "--config", "no-such.toml"], "no-such.toml cannot be read: "],
  [["--env", "production", "--config", "no-such-file"], "no-such-file is no configuration with a deployment, such as"],
  [
    ["--env", "production", "--config", "tests"],
    "tests is no configuration with a deployment, such as [env.production].",
  ],
])("refuses %j with a sentence", async (args, sentence) => {
  const run = () => Promise.resolve({ code: 0, stdout: SET, output: SET });
  await expect(deploy(args, { run, print })).rejects.toThrow(sentence);
});

test("a migration that breaks off leaves nothing of itself, and the next deployment ends it", async () => {
  const { calls, folder, config, migrations, start } = deployment({ stdout: SET }, (args) =>
    args[0] === "d1" ? null : {},
  );
  writeFileSync(join(migrations, "0000_lamps.sql"), "CREATE TABLE lamps (id TEXT);");
  writeFileSync(join(migrations, "0001_more.sql"), "CREATE TABLE poles (id TEXT);\nINSERT INTO gone VALUES (1);");
  await expect(start()).rejects.toThrow(/A migration failed, and nothing was deployed.*no such table: gone/s);
  expect(calls.at(-1)).toBe("d1 migrations apply DB --remote");

  writeFileSync(join(migrations, "0001_more.sql"), "CREATE TABLE poles (id TEXT);");
  await start();
  expect(calls.at(-1)).toContain("deploy --tag");
  const applied = (d1: D1Database) => d1.prepare("SELECT name FROM d1_migrations").all();
  const { results } = await withDatabase(folder, applied, config);
  expect(results).toEqual([{ name: "0000_lamps.sql" }, { name: "0001_more.sql" }]);
}, 60_000);
