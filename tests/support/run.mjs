// `npm test`: runs vitest and prints `N passed, N failed` as the very last line, which CI reads.
// Passes its arguments to vitest: `npm test -- --project engine`.
import { spawn } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch } from "./scratch.mjs";

const scratch = await makeScratch();
const report = join(scratch, "report.json");
const seen = join(scratch, "seen");
await mkdir(seen);

const exit_code = await vitest(process.argv.slice(2));
const counts = await count(exit_code);
await rm(scratch, { recursive: true, force: true });

const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
process.exitCode = counts.failed > 0 ? exit_code || 1 : exit_code;

function vitest(args) {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...args], {
    stdio: "inherit",
    env: {
      ...process.env,
      TMPDIR: scratch,
      SEEN_DIR: seen,
      WRANGLER_SEND_METRICS: "false",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
    },
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
}

/** A file that does not load and an error outside of any test count as one failure each. */
async function count(code) {
  const json = await readFile(report, "utf8").catch(() => null);
  if (json === null) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(json);
  const unloaded = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  const failed = numFailedTests + unloaded;
  return {
    passed: numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: numPendingTests + numTodoTests,
  };
}
