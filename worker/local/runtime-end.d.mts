/** From now on, every runtime (workerd) that this process starts ends with it. */
export function endRuntimesWithThisProcess(): void;
