// `npm run restore -- --url https://lights.city.example --from DIR --org ID`: brings back the backup in DIR/ID. The secret
// OPERATOR_TOKEN comes from the environment. The same against `npm start`. What a restore replaces and what it keeps:
// OPERATING.md, Backup and restore.
import { parseArgs } from "node:util";
import { directoryOf, linesOf, wholeBackup } from "./backup-files.mjs";
import { bringBack } from "./backup-transfer.mjs";
import { requireNode } from "./command.mjs";
import { operatorDoor, told } from "./operator-door.mjs";
import { UserError } from "./user-error.mjs";

const USAGE = `Usage: npm run restore -- --url URL --from DIR --org ID
The secret OPERATOR_TOKEN comes from the environment.`;

try {
  requireNode();
  const { url, org, from } = options();
  const call = operatorDoor(url);
  const dir = directoryOf(from, org);
  const manifest = await wholeBackup(dir, org);
  await bringBack(call, manifest, (table) =>
    linesOf(
      dir,
      manifest.files.find((file) => file.table === table),
    ),
  );
  console.log(`${manifest.organization.name} (${org}) is as it was at ${manifest.taken_at}.`);
} catch (error) {
  console.error(told(error));
  process.exitCode = 1;
}

function options() {
  try {
    const text = { type: "string" };
    const { values } = parseArgs({ options: { url: text, org: text, from: text } });
    const { url, org, from } = values;
    if (url && org && from) return { url, org, from };
  } catch {
    // Print the usage for an unknown option.
  }
  throw new UserError(USAGE);
}
