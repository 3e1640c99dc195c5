// `npm run types:check`: fails when worker/env.d.ts is not what `npm run types` would write. Wrangler's own `--check`
// leaves out --env-file, and so the secrets, and calls every file out of date.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";

const KEPT = "worker/env.d.ts";
const ANEW = "worker/env.anew.d.ts"; // in the same folder, since the types name their files by relative paths

const { types } = JSON.parse(readFileSync("package.json", "utf8")).scripts;
const made = spawnSync(types.replace(KEPT, ANEW), { shell: true, encoding: "utf8" });
const isCurrent = made.status === 0 && body(ANEW) === body(KEPT);
rmSync(ANEW, { force: true });
if (!isCurrent) {
  console.error(made.status === 0 ? `${KEPT} is out of date: npm run types` : made.stdout + made.stderr);
  process.exitCode = 1;
}

/** Without the two lines that name the command and a hash of it. */
function body(file) {
  return readFileSync(file, "utf8").split("\n").slice(2).join("\n");
}
