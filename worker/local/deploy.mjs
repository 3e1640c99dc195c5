// `npm run deploy -- --env staging|production [--config FILE]`: checks what can be known of the configuration, applies D1's
// migrations, then deploys. Changes nothing where a secret or setting is missing.
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { isCommand, requireNode, ROOT } from "./command.mjs";
import { databaseProblem, environment } from "./environments.mjs";
import { load } from "./typescript.mjs";
import { UserError } from "./user-error.mjs";
import { reasonOf, runWrangler } from "./wrangler.mjs";

async function deployFromCommandLine() {
  process.chdir(ROOT);
  try {
    requireNode();
    await deploy(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof UserError ? `\n${error.message}\n` : error);
    process.exitCode = 1;
  }
}

/** Deploys by `run`, which is wrangler. Throws a UserError that says what was changed and what to do next. */
export async function deploy(args, { run = runWrangler, print = console.log, commit = ownCommit() } = {}) {
  const { env, config } = options(args);
  const target = ["--env", env, ...(config ? ["--config", config] : [])];
  const step = async (command, failure) => {
    const ran = await run([...command, ...target], { show: true });
    if (ran.code !== 0) throw new UserError(`${failure}\n${reasonOf(ran.output)}`);
    return ran.stdout;
  };

  const { notes, stopping } = await problemsOf(environment(env, config), await secretsOf(target, run));
  for (const note of notes) print(`Note: ${note}`);
  if (stopping.length > 0) {
    const how = `A secret is set by \`npx wrangler secret put NAME --env ${env}\`.`;
    throw new UserError(`Nothing was deployed to ${env}:\n${stopping.map((each) => `- ${each}\n`).join("")}${how}`);
  }
  print("The secrets' names are complete. Their values cannot be read back: the server checks them when it runs.");

  const { version } = JSON.parse(await readFile("package.json", "utf8"));
  print(`\nBuilding version ${version} for ${env} ...`);
  const dry = ["deploy", "--dry-run", "--outdir", `.wrangler/dry-run/${env}`];
  await step(dry, "The build failed. Nothing was changed.");
  print("\nApplying the database's migrations ...");
  await step(["d1", "migrations", "apply", "DB", "--remote"], MIGRATION_FAILED);
  print("\nDeploying ...");
  const names = ["--tag", `v${version}`, "--message", `Version ${version}`];
  const told = await step(["deploy", ...names, ...(commit ? ["--var", `COMMIT:${commit}`] : [])], DEPLOY_FAILED);
  // Before it wrangler prints the vars, of which one may be an address, too.
  const [, address = "https://..."] = / triggers[^]*?(https:\/\/[^\s/]+)/.exec(told) ?? [];
  print(`\nVersion ${version} is deployed to ${env}. Check it: npm run smoke -- ${address}\n`);
}

const MIGRATION_FAILED = `A migration failed, and nothing was deployed. Of the migration that failed nothing is left; those before it are kept,
and the running version works with them. Run the same command again once the cause is gone:`;
const DEPLOY_FAILED = `The deployment failed. The database's tables are newer than the running version, which works with them. Run the same
command again once the cause is gone:`;

function options(args) {
  const text = { type: "string" };
  try {
    const { env = "", config } = parseArgs({ args, options: { env: text, config: text } }).values;
    return { env, config };
  } catch {
    throw new UserError("Usage: npm run deploy -- --env staging|production [--config FILE]");
  }
}

/** What /api/health tells of this copy; empty where it is no checkout of git. */
function ownCommit() {
  try {
    const stdio = ["ignore", "pipe", "ignore"];
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8", stdio }).trim();
  } catch {
    return "";
  }
}

/** The names of the secrets that the deployment has; none where there is no such worker yet. */
async function secretsOf(target, run) {
  const { code, stdout, output } = await run(["secret", "list", ...target]);
  if (code === 0) return JSON.parse(stdout).map(({ name }) => name);
  if (/Worker .* not found/.test(output)) return [];
  throw new UserError(`Nothing was deployed: the secrets there could not be listed.\n${reasonOf(output)}`);
}

/** Sentences of what can be known from here: `stopping` ones, with which the server would not work, and notes. */
async function problemsOf(config, secrets) {
  const configuration = await load("worker/configuration/problems.ts");
  const known = configuration.allNames("secret");
  const told = [
    ...configuration.missingSecrets(secrets),
    ...configuration.problemsOf(config.vars, configuration.allNames("var")),
  ];
  const unread = secrets.filter((name) => !known.includes(name));
  return {
    notes: [
      ...told.filter(({ stops }) => !stops).map(({ sentence }) => sentence),
      ...unread.map((name) => `nothing reads the secret ${name}; is its name spelt right?`),
    ],
    stopping: [
      databaseProblem(config),
      config.vars.DEMO === "off" ? null : "DEMO must be off: everybody knows the demo accounts' password.",
      ...told.filter(({ stops }) => stops).map(({ sentence }) => sentence),
    ].filter((sentence) => sentence !== null),
  };
}

if (isCommand(import.meta.url)) await deployFromCommandLine();
