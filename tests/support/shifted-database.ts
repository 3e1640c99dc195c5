import { env } from "cloudflare:workers";
import { shiftSql } from "./clock";

/** The runtime's own: this module is loaded once, before a test file replaces it in `env`. */
export const realDatabase = env.DB;

/** The database with SQLite's 'now' on the run's clock. D1 accepts only its own statements, so they are not wrapped. */
export function shiftedDatabase(database: D1Database): D1Database {
  return new Proxy(database, {
    get: (d1, key) => {
      if (key === "prepare") return (query: string) => d1.prepare(shiftSql(query));
      const value: unknown = Reflect.get(d1, key);
      return typeof value === "function" ? value.bind(d1) : value;
    },
  });
}
