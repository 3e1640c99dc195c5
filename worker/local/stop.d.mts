export declare function isStopping(): boolean;
export declare function stopOnSignal(end: () => unknown): void;
