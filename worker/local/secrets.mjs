import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isCommand } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { UserError } from "./user-error.mjs";

/** The required values of .dev.vars and their initial values. SETTINGS_KEY is an AES-256 key: 32 bytes, base64. */
const MADE = {
  SESSION_SECRET: () => randomBytes(32).toString("base64"),
  SETTINGS_KEY: () => randomBytes(32).toString("base64"),
  DEMO: () => "on",
  CLIENT_ADDRESS_HEADER: () => "none", // no trusted proxy sets one locally
  CONNECTIONS: () => "200", // the local runtime holds none, and hubs of one's own are many and slow
};

// `npm ci` runs this file, because wrangler reads .dev.vars before any other code of ours could create it.
if (isCommand(import.meta.url)) await makeSecrets();

/** Creates missing local secrets and keeps existing ones. Returns the names of the created ones. */
export function makeSecrets(file = ".dev.vars") {
  const path = resolve(file);
  const refused = (what, cause) =>
    new UserError(`The local secrets in ${path} cannot be ${what}: ${cause.message}.`, { cause });
  return withLock(path, async () => {
    const before = await readFile(path, "utf8").catch((error) => {
      if (error.code === "ENOENT") return "";
      throw refused("read", error);
    });
    const made = Object.keys(MADE).filter((name) => !hasValue(before, name));
    if (made.length === 0) return [];

    const after = made.reduce((text, name) => withValue(text, name, MADE[name]()), before);
    try {
      await writeFile(`${path}.new`, after, { mode: 0o600 });
      await rename(`${path}.new`, path); // atomic, even if the process is killed
    } catch (error) {
      throw refused("written", error);
    }
    return made;
  });
}

/** The value in .dev.vars, or undefined. */
export async function readVar(name, file = ".dev.vars") {
  const text = await readFile(resolve(file), "utf8").catch(() => "");
  return new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[ \\t]*["']?([^"'\\n]*)`, "m").exec(text)?.[1]?.trim();
}

function hasValue(text, name) {
  return new RegExp(`^[ \\t]*(export[ \\t]+)?${name}[ \\t]*=[ \\t]*(?!""|'')\\S`, "m").test(text);
}

function withValue(text, name, value) {
  const kept = text.replace(new RegExp(`^[ \\t]*(export[ \\t]+)?${name}[ \\t]*=[ \\t]*(""|'')?[ \\t]*\\n?`, "m"), "");
  return `${kept}${kept === "" || kept.endsWith("\n") ? "" : "\n"}${name}="${value}"\n`;
}
