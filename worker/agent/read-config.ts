import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CONFIG_PATH, parseConfig, type Config, type Parsed } from "./config";

/** The service can't read a file of root's; systemd hands it a copy in a folder of its own. */
function configPath(env: NodeJS.ProcessEnv): string {
  if (env.LAMPLIGHTER_AGENT_CONFIG) return env.LAMPLIGHTER_AGENT_CONFIG;
  return env.CREDENTIALS_DIRECTORY ? join(env.CREDENTIALS_DIRECTORY, "config") : CONFIG_PATH;
}

/** Reads the program's own file; what is wrong with it is a sentence for the technician. */
export async function readConfig(): Promise<Parsed<Config>> {
  const path = configPath(process.env);
  try {
    const parsed = parseConfig(await readFile(path, "utf8"));
    return parsed.ok ? parsed : { ok: false, detail: `${path}: ${parsed.detail}` };
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const detail = isMissing
      ? `${path} does not exist: run 'sudo node agent.mjs install' first`
      : `${path} can't be read: run this with sudo`;
    return { ok: false, detail };
  }
}
