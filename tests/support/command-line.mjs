import { parseArgs } from "node:util";

/** Node's parseArgs for a command that people run: what it does not know is told in a line, as a wrong value is. */
export function commandLine(config) {
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
}
