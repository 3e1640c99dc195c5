import type { ChildProcess } from "node:child_process";

/** From now on, every runtime (workerd) that this process starts ends with it. */
export function endRuntimesWithThisProcess(): void;

/** Resolves when one of the runtimes that run now has ended. */
export function runtimeEnd(): Promise<void>;
/** Ends a child by `signal` when this process ends, however that is. */
export function endWithThisProcess(child: ChildProcess, signal: "KILL" | "TERM"): void;
