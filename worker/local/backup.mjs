// `npm run backup -- --url https://lights.city.example --org ID --to DIR`: makes a backup of an organization in DIR/ID;
// `--all` of every one. The secret OPERATOR_TOKEN comes from the environment. The same against `npm start`.
// What is in a backup, and what it is worth: OPERATING.md, Backup and restore.
import { parseArgs } from "node:util";
import { directoryOf, newBackup } from "./backup-files.mjs";
import { readBackup } from "./backup-transfer.mjs";
import { operatorDoor, told } from "./operator-door.mjs";
import { UserError } from "./user-error.mjs";

const USAGE = `Usage: npm run backup -- --url URL --to DIR --org ID
       npm run backup -- --url URL --to DIR --all
The secret OPERATOR_TOKEN comes from the environment.`;

try {
  const { url, org, to } = options();
  const call = operatorDoor(url);
  const ids = org === undefined ? (await call("GET", "/organizations")).data.map(({ id }) => id) : [org];
  for (const id of ids) await backUp(call, id, directoryOf(to, id));
  if (ids.length === 0) console.log(`There is no organization at ${url}.`);
} catch (error) {
  console.error(told(error));
  process.exitCode = 1;
}

async function backUp(call, org, dir) {
  const backup = await newBackup(dir);
  try {
    const said = await readBackup(call, org, backup);
    const files = await backup.finish(said);
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    console.log(`${said.organization.name} (${org}): ${rows} rows in ${files.length} files, ${dir}`);
  } catch (error) {
    await backup.abandon();
    throw error;
  }
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
