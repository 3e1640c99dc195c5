import { env } from "cloudflare:workers";
import { database, type Database } from "#db/database";

/** The real database, also as the binding, with a count of its round trips. */
export function countedDatabase(): { db: Database; d1: D1Database; trips: () => number } {
  let trips = 0;
  const counted = new Proxy(env.DB, {
    get(d1, key) {
      if (key === "prepare") return (sql: string) => countedStatement(d1.prepare(sql));
      if (key === "batch") return (statements: D1PreparedStatement[]) => ((trips += 1), d1.batch(statements));
      return Reflect.get(d1, key);
    },
  });
  // D1 accepts only its own statements, so replace their methods instead of wrapping them.
  const countedStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const { bind } = statement;
    for (const verb of ["all", "raw", "run", "first"] as const) {
      const original: (...given: never[]) => unknown = statement[verb];
      Object.defineProperty(statement, verb, {
        value: (...given: never[]) => ((trips += 1), original.apply(statement, given)),
      });
    }
    Object.defineProperty(statement, "bind", {
      value: (...given: unknown[]) => countedStatement(bind.apply(statement, given)),
    });
    return statement;
  };
  return { db: database(counted), d1: counted, trips: () => trips };
}
