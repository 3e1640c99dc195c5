import { beforeEach } from "vitest";
import { say } from "./say";

/**
 * Runs before each test file in workerd: what is logged is kept here, and printed by the test that fails. Vitest would send
 * each line by itself and wait for its answer; one that an object logs as its file ends is never sent once that object is
 * reset, and the run waited for it for ever (cloudflare/workers-sdk#15719).
 */
const lines: string[] = [];

for (const level of ["debug", "info", "log", "warn", "error"] as const) {
  console[level] = (...said: unknown[]) => void lines.push(`${level}: ${said.map(String).join(" ")}`);
}

beforeEach(({ onTestFailed }) => {
  lines.length = 0;
  onTestFailed(() => say(lines.join("\n")));
});
