// `npm run backup -- --url https://lights.city.example --org ID --to DIR`: makes a backup of an organization in DIR/ID;
// `--all` of every one. The secret OPERATOR_TOKEN comes from the environment. The same against `npm start`.
// What is in a backup, and what it is worth: OPERATING.md, Backup and restore.
import { parseArgs } from "node:util";
import { directoryOf, hasBackup, newBackup } from "./backup-files.mjs";
import { readBackup } from "./backup-transfer.mjs";
import { isCommand, requireNode } from "./command.mjs";
import { operatorDoor, told } from "./operator-door.mjs";
import { UserError } from "./user-error.mjs";

const USAGE = `Usage: npm run backup -- --url URL --to DIR --org ID
       npm run backup -- --url URL --to DIR --all
The secret OPERATOR_TOKEN comes from the environment.`;

async function backupFromCommandLine() {
  try {
    requireNode();
    const { url, org, to } = options();
    await backup(operatorDoor(url), { org, to });
  } catch (error) {
    console.error(told(error));
    process.exitCode = 1;
  }
}

/**
 * Makes a backup of `org`, or of every organization, in `to`. Of every one it goes on after one that fails, and leaves what
 * an earlier try made whole. Throws a UserError that says what is missing.
 */
export async function backup(call, { org, to }, { print = console.log } = {}) {
  if (org !== undefined) return print(await backUp(call, org, directoryOf(to, org)));
  const { data } = await call("GET", "/organizations");
  if (data.length === 0) return print("There is no organization.");
  const [there, failed] = [[], []];
  for (const { id } of data) {
    try {
      const dir = directoryOf(to, id);
      if (await hasBackup(dir)) there.push(id);
      else print(await backUp(call, id, dir));
    } catch (error) {
      print(`${id}: ${reasonOf(error)}`);
      failed.push(id);
    }
  }
  if (failed.length > 0)
    throw new UserError(`${failed.length} of ${data.length} have no backup: ${failed.join(", ")}. Run the same again.`);
  // A nightly job that names one directory for good would never make another.
  if (there.length === data.length) throw new UserError(`${to} has a backup of each already. Name another directory.`);
  if (there.length > 0) print(`${there.join(", ")}: backed up before, left as it is.`);
}

async function backUp(call, org, dir) {
  const begun = await newBackup(dir);
  try {
    const said = await readBackup(call, org, begun);
    const files = await begun.finish(said);
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    return `${said.organization.name} (${org}): ${rows} rows in ${files.length} files, ${dir}`;
  } catch (error) {
    await begun.abandon();
    throw error;
  }
}

/** A line of text, also of a fault of ours. */
function reasonOf(error) {
  const said = told(error);
  return typeof said === "string" ? said : (said.stack ?? String(said));
}

function options() {
  try {
    const text = { type: "string" };
    const { values } = parseArgs({ options: { url: text, org: text, to: text, all: { type: "boolean" } } });
    const { url, org, to, all = false } = values;
    if (url && to && (org !== undefined) !== all) return { url, org, to };
  } catch {
    // Print the usage for an unknown option.
  }
  throw new UserError(USAGE);
}

if (isCommand(import.meta.url)) await backupFromCommandLine();
