import { expect, test } from "vitest";
import { runtimeOptions } from "../worker/local/runtime.mjs";

test("the log has what the worker writes, and none of the runtime's notes to its own authors, nor what was told before", () => {
  const lines: string[] = [];
  const options = runtimeOptions({
    port: 0,
    state_dir: "unused",
    worker: { name: "lamplighter", modulesRoot: ".", modules: [] },
    log: (level, line) => void lines.push(`${level} ${line}`),
  });
  const write = (level: string, message: string) => options.handleStructuredLogs?.({ timestamp: 0, level, message });
  write("warn", "NOSENTRY SQLite alarm handler canceled with requestScheduledAlarm.; scheduledTime = 1s");
  write("warn", '{"at":"2026-11-30T17:00:00.000Z","level":"warn","event":"configuration.problem","name":"COMMIT"}');
  write("error", '{"event":"sweep.failed"}');
  expect(lines).toEqual(['error {"event":"sweep.failed"}']);
});
