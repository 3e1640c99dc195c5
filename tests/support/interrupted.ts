import { env } from "cloudflare:workers";
import { database, type Database } from "#db/database";
import { rows } from "./door";

/** The real database, in which somebody else's statement comes before each batch: after all that was read for it. */
export function interruptedBy(sql: string, ...given: unknown[]): Database {
  return interruptedFrom(1, sql, given);
}

/** The same, where it comes before the `nth` batch and those after it. */
export function interruptedFrom(nth: number, sql: string, given: unknown[] = []): Database {
  let batches = 0;
  const interrupted = new Proxy(env.DB, {
    get: (d1, key) => {
      if (key !== "batch") return Reflect.get(d1, key);
      return async (statements: D1PreparedStatement[]) => {
        batches += 1;
        if (batches >= nth) await rows(sql, ...given);
        return d1.batch(statements);
      };
    },
  });
  return database(interrupted);
}
