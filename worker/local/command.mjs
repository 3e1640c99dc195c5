import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { UserError } from "./user-error.mjs";

// Written for a Node older than the needed one, too: import.meta.filename is missing before 20.11, and a command that
// compared it did nothing and told of no error.

/** The directory of package.json. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Whether the file with this URL is the command that was run, directly or by a link, and not imported by another. */
export function isCommand(url) {
  const [, run] = process.argv;
  return run !== undefined && realPath(run) === realPath(fileURLToPath(url));
}

/** Throws a UserError unless this is Node 20.19 or newer. */
export function requireNode(version = process.versions.node) {
  const [major, minor] = version.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new UserError(`Lamplighter needs Node 20.19 or newer; this is Node ${version}.`);
}

function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
