import { spawn } from "node:child_process";
import { channel } from "node:diagnostics_channel";
import { once } from "node:events";

/** The runtimes of this process that have not ended. */
const running = new Set();

/**
 * From now on, every runtime (workerd) that this process starts ends with it. A `kill -9` of this process alone would leave
 * the runtime serving, and switching lights beside the next one that is started on the same state.
 */
export function endRuntimesWithThisProcess() {
  channel("child_process").subscribe(({ process: child }) => {
    child.once("spawn", () => {
      if (!child.spawnfile.includes("workerd")) return;
      running.add(child);
      child.once("exit", () => running.delete(child));
      endWithThisProcess(child, "KILL");
    });
  });
}

/** Resolves when one of the runtimes that run now has ended. */
export async function runtimeEnd() {
  await Promise.race([...running].map((runtime) => once(runtime, "exit")));
}

/**
 * Ends `child` by `signal` when this process ends, however that is: a shell waits on a pipe that closes with this process.
 * The shell goes when the child ends first: weeks later the child's number may be another process's.
 */
export function endWithThisProcess(child, signal) {
  const script = 'trap "" INT TERM HUP; read -r _ || kill -s "$1" "$0"';
  const shell = spawn("sh", ["-c", script, String(child.pid), signal], { stdio: ["pipe", "ignore", "ignore"] });
  shell.on("error", () => undefined); // no shell: everything else works without it
  shell.stdin.on("error", () => undefined);
  child.once("exit", () => shell.stdin.end("\n"));
  shell.unref();
  shell.stdin.unref();
}
