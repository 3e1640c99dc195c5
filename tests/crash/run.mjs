// npm run crash -- --kills 100 --seed 7
// The real server is killed (SIGKILL, its whole process group) so many times, ten to a round of its own lights.
import { spawn } from "node:child_process";
import { commandLine } from "../support/command-line.mjs";

const { values } = commandLine({
  options: { kills: { type: "string", default: "10" }, seed: { type: "string", default: "1" } },
});
const [kills, seed] = [values.kills, values.seed].map(Number);
if (![kills, seed].every((n) => Number.isInteger(n) && n > 0)) {
  console.error("--kills and --seed are whole numbers above 0.");
  process.exit(2);
}
const rounds = Array.from({ length: Math.ceil(kills / 10) }, (_, n) => Math.min(10, kills - n * 10));
const vitest = spawn(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "--silent=false", "--project", "browser", "tests/browser/crash.test.ts"],
  { stdio: "inherit", env: { ...process.env, CRASH: JSON.stringify({ seed, rounds }) } },
);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => vitest.kill(signal));
vitest.on("exit", (code) => process.exit(code ?? 1));
