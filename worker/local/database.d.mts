/** Opens the local D1 of `state_dir` in this process and closes it again after `work(d1)`. */
export function withDatabase<T>(state_dir: string, work: (d1: D1Database) => Promise<T>, config?: string): Promise<T>;
/**
 * The same once the tables are up to date. A UserError says why they cannot be. While a running server writes, the work
 * is done again, so it has to be one batch.
 */
export function withTables<T>(state_dir: string, work: (d1: D1Database) => Promise<T>): Promise<T>;
/** Applies the migrations that a local database lacks. */
export function migrate(d1: D1Database): Promise<void>;
export function despiteAssertions<T>(work: () => Promise<T>): Promise<T>;
