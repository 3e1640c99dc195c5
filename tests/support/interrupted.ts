import { env } from "cloudflare:workers";
import { database, type Database } from "#db/database";
import { rows } from "./door";

/** The real database, in which somebody else's statement comes before each batch: after all that was read for it. */
export function interruptedBy(sql: string, ...given: unknown[]): Database {
  const interrupted = new Proxy(env.DB, {
    get: (d1, key) => {
      if (key !== "batch") return Reflect.get(d1, key);
      return async (statements: D1PreparedStatement[]) => {
        await rows(sql, ...given);
        return d1.batch(statements);
      };
    },
  });
  return database(interrupted);
}
