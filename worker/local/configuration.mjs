import { readConfig } from "./environments.mjs";
import { wrangler } from "./tools.mjs";
import { load } from "./typescript.mjs";
import { UserError } from "./user-error.mjs";

/** Prints a sentence for each local secret or setting that is malformed, and throws one if the server cannot work so. */
export async function requireConfiguration({ read = bindings, print = console.warn } = {}) {
  const { problemsOf } = await load("worker/configuration/problems.ts");
  const problems = problemsOf(await read());
  for (const { sentence } of problems.filter(({ stops }) => !stops)) print(`Note: ${sentence}`);
  const stopping = problems.filter(({ stops }) => stops).map(({ sentence }) => `\n- ${sentence}`);
  if (stopping.length > 0)
    throw new UserError(`The server cannot work with the secrets in .dev.vars:${stopping.join("")}`);
}

/** wrangler.toml's and .dev.vars'; of a fresh clone, too, in which nothing is built yet. */
async function bindings() {
  const { unstable_getVarsForDev } = wrangler();
  const { configPath, vars } = readConfig({ config: "wrangler.toml" });
  const found = unstable_getVarsForDev(configPath, undefined, vars, undefined, true);
  return Object.fromEntries(Object.entries(found).map(([name, { value }]) => [name, value]));
}
