// `npm run types:check`: fails if worker/env.d.ts differs from what `npm run types` would write. Wrangler's own `--check`
// ignores --env-file, and so the secrets, and calls every file out of date.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";

const KEPT = "worker/env.d.ts";
const ANEW = "worker/env.anew.d.ts"; // in the same folder, because the types have relative paths

const { types } = JSON.parse(readFileSync("package.json", "utf8")).scripts;
const made = spawnSync(types.replace(KEPT, ANEW), { shell: true, encoding: "utf8" });
const isCurrent = made.status === 0 && body(ANEW) === body(KEPT);
rmSync(ANEW, { force: true });
if (!isCurrent) {
  console.error(made.status === 0 ? `${KEPT} is out of date: npm run types` : made.stdout + made.stderr);
  process.exitCode = 1;
}

/** Removes the two lines with the command and its hash. */
function body(file) {
  return readFileSync(file, "utf8").split("\n").slice(2).join("\n");
}
