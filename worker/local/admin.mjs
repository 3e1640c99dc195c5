// `npm run admin -- --email you@city.gov --org "City" [--remote [--env NAME]]`: creates the first admin of an organization.
// Creates the organization and the person if they do not exist. An existing person gets this password, unless they are
// a member of another organization, too.
// `npm run admin -- --recover EMAIL [--remote [--env NAME]]`: recovers an account that is lost, locked out or taken by somebody else.
// Removes its password, second factor and sessions and prints a one-time code for its owner.
// Locally it writes to STATE_DIR (.wrangler/state), running or not; with --remote to the deployed database, production's
// unless --env names another. All times are the database's: the clock of this machine may be wrong.
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { askPassword } from "./ask-password.mjs";
import { isCommand, requireNode, ROOT } from "./command.mjs";
import { hashPassword } from "./password.mjs";
import { requireStateFolder } from "./state-folder.mjs";
import { load } from "./typescript.mjs";
import { UserError } from "./user-error.mjs";
import { reasonOf, runWrangler } from "./wrangler.mjs";

async function adminFromCommandLine() {
  const state_dir = resolve(process.env.STATE_DIR || ".wrangler/state");
  process.chdir(ROOT);
  try {
    requireNode();
    await admin(process.argv.slice(2), { state_dir });
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error);
    process.exitCode = 1;
  }
}

/** Does what `args` say and prints what its reader does next. Throws a UserError, and then nothing was changed. */
export async function admin(args, { state_dir, ask = askPassword, run = runWrangler, print = console.log }) {
  const { email, org, recover, ...remote } = options(args);
  const execute = remote.env ? await remoteDatabase(remote, run) : localDatabase(state_dir);
  await (recover ? freeAccount({ email: recover, execute, print }) : makeAdmin({ email, org, execute, ask, print }));
}

async function makeAdmin({ email, org, execute, ask, print }) {
  const { emailField } = await load("app/domain/organization/login-schema.ts");
  const { error: refused } = emailField.safeParse(email); // by the sign-in, too
  if (refused) throw new UserError(`${refused.issues[0].message}: nobody can sign in with ${email}.`);
  const password = await ask();
  if (password.length < 12 || password.length > 128) throw new UserError("The password needs 12 to 128 characters.");
  const { newPassword } = await load("worker/auth/password-policy.ts");
  const { error } = newPassword({ email, organizations: [org] }).safeParse(password);
  if (error) throw new UserError(`${error.issues[0].message}.`);
  await execute(statements({ email, org, password_hash: await hashPassword(password) }));
  print(`${email} is an admin of ${org}. Who works elsewhere too keeps the password they had.`);
}

async function freeAccount({ email, execute, print }) {
  const { hashCode, oneTimeCode, LIFETIME_HOURS } = await load("worker/auth/one-time-code.ts");
  const code = oneTimeCode();
  await execute(recovery({ email, code_hash: hashCode(code), hours: LIFETIME_HOURS })).catch((error) => {
    if (!String(error.message).includes("one_time_codes.user_id")) throw error;
    throw new UserError(`Nobody has the e-mail ${email}.`);
  });
  print(
    `${email} signs in with this code in place of a password, within ${LIFETIME_HOURS} hours, and chooses a new one:`,
  );
  print(`\n  ${code}\n`);
}

function options(args) {
  const usage = `Usage: npm run admin -- --email you@city.gov --org "City" [--remote [--env NAME] [--config FILE]]
       npm run admin -- --recover you@city.gov [--remote [--env NAME] [--config FILE]]`;
  const text = { type: "string" };
  const options = { email: text, org: text, recover: text, env: text, config: text, remote: { type: "boolean" } };
  try {
    const { values } = parseArgs({ args, options });
    const [email, recover] = [values.email, values.recover].map((address) => address?.trim().toLowerCase() ?? "");
    const org = values.org?.trim() ?? "";
    if (!values.remote && (values.env || values.config)) throw new UserError(usage);
    const where = values.remote ? { env: values.env ?? "production", config: values.config } : {};
    if (isEmail(recover) && !email && !org) return { recover, ...where };
    if (isEmail(email) && org && org.length <= 120 && !recover) return { email, org, ...where };
  } catch {
    // Print the usage for an unknown option.
  }
  throw new UserError(usage);
}

function isEmail(text) {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}

function recovery({ email, code_hash, hours }) {
  const person = `(SELECT id FROM users WHERE email = ${quoted(email)})`;
  const now = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
  return [
    `INSERT INTO one_time_codes (code_hash, user_id, expires_at)
      VALUES (${quoted(code_hash)}, ${person}, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+${hours} hours'))`,
    `DELETE FROM one_time_codes WHERE user_id = ${person} AND org_id IS NULL AND code_hash <> ${quoted(code_hash)}`,
    `UPDATE users SET password_hash = '', version = version + 1 WHERE id = ${person}`,
    `DELETE FROM second_factors WHERE user_id = ${person}`,
    `DELETE FROM recovery_codes WHERE user_id = ${person}`,
    `DELETE FROM login_attempts WHERE email = ${quoted(email)}`,
    `UPDATE sessions SET revoked_at = ${now} WHERE revoked_at IS NULL AND user_id = ${person}`,
    `INSERT INTO audit_logs (id, org_id, created_at, action, resource_type, resource_id, details)
      SELECT ${quoted(randomUUID())} || org_id, org_id, ${now}, 'recover', 'user', user_id,
        ${quoted(JSON.stringify({ after: { email }, by: "npm run admin" }))}
      FROM org_memberships WHERE user_id = ${person} AND pending = 0`,
  ];
}

function statements({ email, org, password_hash }) {
  const person = `(SELECT id FROM users WHERE email = ${quoted(email)})`;
  // Typed in other letters it is the same city: a second one would be empty, and nothing takes it away again.
  const city = `(SELECT id FROM organizations WHERE name = ${quoted(org)} COLLATE NOCASE
    ORDER BY name = ${quoted(org)} DESC, created_at LIMIT 1)`;
  const elsewhere = `EXISTS (SELECT 1 FROM org_memberships WHERE user_id = users.id AND org_id <> ${city}
    AND active AND NOT pending)`;
  const now = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
  return [
    `INSERT INTO organizations (id, name) SELECT ${quoted(randomUUID())}, ${quoted(org)} WHERE ${city} IS NULL`,
    `INSERT INTO users (id, email, password_hash)
      VALUES (${quoted(randomUUID())}, ${quoted(email)}, ${quoted(password_hash)})
      ON CONFLICT (email) DO UPDATE SET password_hash = excluded.password_hash, version = version + 1
      WHERE NOT ${elsewhere}`,
    `UPDATE sessions SET revoked_at = ${now} WHERE revoked_at IS NULL
      AND user_id = (SELECT id FROM users WHERE email = ${quoted(email)} AND NOT ${elsewhere})`,
    `INSERT INTO org_memberships (org_id, user_id, role) VALUES (${city}, ${person}, 'org_admin')
      ON CONFLICT (org_id, user_id) DO UPDATE SET role = 'org_admin', active = 1, pending = 0, version = version + 1`,
    `INSERT INTO audit_logs (id, org_id, created_at, action, resource_type, resource_id, details)
      VALUES (${quoted(randomUUID())}, ${city}, ${now}, 'create', 'user', ${person},
        ${quoted(JSON.stringify({ after: { email, role: "org_admin" }, by: "npm run admin" }))})`,
  ];
}

/** SQLite's only escape within quotes is the doubled quote; NUL would end the text. */
function quoted(text) {
  return `'${text.replaceAll("\0", "").replaceAll("'", "''")}'`;
}

function localDatabase(state_dir) {
  return async (statements) => {
    const { isOfRuntime, withTables } = await import("./database.mjs");
    await requireStateFolder(state_dir);
    await withTables(state_dir, async (d1) => {
      await d1.batch(statements.map((statement) => d1.prepare(statement))).catch((error) => {
        if (isOfRuntime(error)) throw error;
        refused(error.message);
      });
    });
  };
}

/** Passes the SQL in a file, so that the list of processes does not show it. */
async function remoteDatabase({ env, config }, run) {
  const { databaseProblem, environment } = await import("./environments.mjs");
  const problem = databaseProblem(environment(env, config));
  if (problem !== null) throw new UserError(problem);
  return async (statements) => {
    const scratch = await mkdtemp(join(tmpdir(), "lamplighter-admin-"));
    const file = join(scratch, "admin.sql");
    const args = ["d1", "execute", "DB", "--remote", "--env", env, "--yes", "--file", file];
    const clear = () => rmSync(scratch, { recursive: true, force: true });
    // A signal ends Node without `finally`, and the hash of a password would stay on this machine. wrangler, loaded by now,
    // exits at one, too: whoever is asked first speaks.
    process.once("exit", clear).prependListener("SIGINT", stopped).prependListener("SIGTERM", stopped);
    try {
      await writeFile(file, statements.map((statement) => `${statement};\n`).join(""), { mode: 0o600 });
      const { code, output } = await run([...args, ...(config ? ["--config", config] : [])]);
      if (code !== 0) refused(reasonOf(output), env);
    } finally {
      process.off("exit", clear).off("SIGINT", stopped).off("SIGTERM", stopped);
      clear();
    }
  };
}

function stopped() {
  console.error("Stopped. Whether the database was changed is not known: run the same again.");
  process.exit(1);
}

/** The statements are one transaction, locally and remotely. */
function refused(reason, env) {
  if (/no such table/.test(reason)) {
    throw new UserError(
      `Nothing was changed: the database has no tables yet. \`npm run deploy -- --env ${env}\` makes them.`,
    );
  }
  throw new UserError(`The database refused, and nothing was changed:\n${reason}`);
}

if (isCommand(import.meta.url)) await adminFromCommandLine();
