import { wrangler } from "./tools.mjs";
import { UserError } from "./user-error.mjs";

/** An id that nobody has filled in yet. */
const PLACEHOLDER = /^[0-]*$/;

/** The configuration of the deployment `env`, by wrangler.toml or a city's own `config`. Throws a UserError for no such one. */
export function environment(env, config = "wrangler.toml") {
  const known = readConfig({ config }).definedEnvironments ?? [];
  if (known.includes(env)) return readConfig({ config, env });
  if (known.length === 0)
    throw new UserError(`${config} is no configuration with a deployment, such as [env.production].`);
  const which = env ? `, not '${env}'` : "";
  throw new UserError(`Say which deployment is meant: --env ${known.join(" or --env ")}${which}.`);
}

/** A sentence if the deployment's database is not named yet. */
export function databaseProblem({ targetEnvironment: env, d1_databases: [database] }) {
  if (!PLACEHOLDER.test(database?.database_id ?? "")) return null;
  const make = `npx wrangler d1 create ${database?.database_name ?? `lamplighter-${env}`}`;
  return `${env} has no database yet: \`${make}\` makes one and prints its id, which goes to [env.${env}] of wrangler.toml as database_id.`;
}

/** The configuration as wrangler reads it; a UserError says which file cannot be read. */
export function readConfig(args) {
  try {
    return wrangler().unstable_readConfig(args, { hideWarnings: true });
  } catch (error) {
    throw new UserError(`${args.config} cannot be read: ${error.message}`);
  }
}
