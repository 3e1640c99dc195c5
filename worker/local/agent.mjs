// `npm run agent:build`: makes the on-site agent's one file, build/agent/agent.mjs, unless it is up to date.
import { buildAgent } from "./build.mjs";

const { version, sha256, bytes } = await buildAgent();
console.log(`build/agent/agent.mjs, version ${version}, ${bytes} bytes\nSHA-256 ${sha256}`);
