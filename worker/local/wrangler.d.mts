export type Ran = { code: number | null; stdout: string; output: string };
/** Runs wrangler, which asks nothing; `show` prints what it prints at once. */
export function runWrangler(args: string[], options?: { show?: boolean }): Promise<Ran>;
/** What wrangler says of a failure, and what to do where that is known. */
export function reasonOf(output: string): string;
