// `npm run agent:build`: makes the on-site agent's one file, build/agent/agent.mjs, unless it is up to date.
import { buildAgent } from "./build.mjs";
import { requireNode, ROOT } from "./command.mjs";
import { UserError } from "./user-error.mjs";

process.chdir(ROOT);
try {
  requireNode();
  const [option] = process.argv.slice(2);
  if (option !== undefined) throw new UserError(`'${option}' is no option: the file is always build/agent/agent.mjs.`);
  const { version, sha256, bytes } = await buildAgent();
  console.log(`build/agent/agent.mjs, version ${version}, ${bytes} bytes\nSHA-256 ${sha256}`);
} catch (error) {
  console.error(error instanceof UserError ? error.message : `The build failed: ${error.message}`);
  process.exitCode = 1;
}
