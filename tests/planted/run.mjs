// npm run plant                             all faults of tests/planted/faults.ts, one after the other
// npm run plant -- 'a cut is not remembered'   these only
// Each must make a test fail; prints by which it was found, and exits with 1 if one survives.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "../../worker/local/typescript.mjs";

/** Asked where the tests that should find it do not. */
const ALL = ["tests/durable", "tests/simulation"];
const PROJECTS = [
  ["tests/domain", "domain UTC"],
  ["tests/worker", "worker"],
  ["tests/providers", "providers"],
];
const TIME_LIMIT_MS = 10 * 60_000;

const { FAULTS } = await load("tests/planted/faults.ts");
const names = process.argv.slice(2);
const unknown = names.filter((name) => !FAULTS.some((fault) => fault.name === name));
if (unknown.length > 0) {
  console.error(`There is no fault named ${unknown.map((name) => `'${name}'`).join(", ")}.`);
  process.exit(2);
}
let running = null;
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    if (running) process.kill(-running.pid, "SIGKILL");
    process.exit(1);
  });
const scratch = await mkdtemp(join(tmpdir(), "lamplighter-plant-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true })); // also where it is stopped
const faults = FAULTS.filter(({ name }) => names.length === 0 || names.includes(name));
let survivors = 0;
for (const fault of faults) {
  const found = await search(fault);
  if (found === null) survivors += 1;
  console.log(`${found === null ? "SURVIVES" : "found"}  ${fault.name}\n          ${found ?? "by no test"}`);
}
console.log(`${faults.length - survivors} found, ${survivors} survive`);
process.exitCode = survivors > 0 ? 1 : 0;

/** The first test that fails because of the fault; null if none does. */
async function search(fault) {
  for (const tests of [fault.by, ...ALL]) {
    const found = await firstFailure(fault.name, tests);
    if (found !== null) return found;
  }
  return null;
}

async function firstFailure(PLANT, tests) {
  const report = join(scratch, "report.json");
  await rm(report, { force: true });
  const project = PROJECTS.find(([folder]) => tests.startsWith(folder))?.[1] ?? "engine";
  const args = ["run", "--bail=1", "--reporter=json", `--outputFile.json=${report}`, "--project", project, tests];
  const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", ...args], {
    detached: true,
    stdio: "ignore",
    env: { ...process.env, PLANT },
  });
  running = child;
  const over = setTimeout(() => process.kill(-child.pid, "SIGKILL"), TIME_LIMIT_MS);
  const code = await new Promise((done) => child.on("exit", done));
  running = null;
  clearTimeout(over);
  if (code === 0) return null;
  if (code === null) return `${tests}: no end`;
  const { testResults } = JSON.parse(await readFile(report, "utf8"));
  for (const file of testResults) {
    const failed = file.assertionResults.find((result) => result.status === "failed");
    if (failed) return `${file.name.slice(process.cwd().length + 1)}: ${failed.title}`;
  }
  throw new Error(`${PLANT}: the tests did not load:\n${testResults.map((file) => file.message).join("\n")}`);
}
