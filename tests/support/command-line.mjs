import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";

/** Node's parseArgs for a command that people run: what it does not know is told in a line, as a wrong value is. */
export function commandLine(config) {
  try {
    return parseArgs(config);
  } catch (error) {
    const options = Object.keys(config.options ?? {}).map((name) => `--${name}`);
    console.error(`${error.message}\nIt takes ${options.join(", ") || "no options"}.`);
    process.exit(2);
  }
}

/** Tells before hours are spent that what they find could not be written to `file`. Leaves no empty one behind. */
export function requireWritable(file) {
  const isThere = existsSync(file);
  try {
    closeSync(openSync(file, "a"));
  } catch (error) {
    console.error(`${file} cannot be written to: ${error.message}`);
    process.exit(2);
  }
  if (!isThere) rmSync(file);
}
