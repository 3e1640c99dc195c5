/** From now on, every runtime (workerd) that this process starts ends with it. */
export function endRuntimesWithThisProcess(): void;

/** Resolves when one of the runtimes that run now has ended. */
export function runtimeEnd(): Promise<void>;
