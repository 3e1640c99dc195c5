import { env } from "cloudflare:workers";
import { database, type Database } from "#db/database";

export type Recorded = { sql: string; params: unknown[]; rows_read: number };

/** The real database with a record of each statement and of the rows that it read. */
export function recordedDatabase(): { db: Database; statements: Recorded[] } {
  const statements: Recorded[] = [];
  const made = new WeakMap<D1PreparedStatement, { sql: string; params: unknown[] }>();
  const note = (statement: D1PreparedStatement, rows_read: number) => {
    const { sql = "", params = [] } = made.get(statement) ?? {};
    statements.push({ sql, params, rows_read });
  };

  // D1 accepts only its own statements, so replace their methods instead of wrapping them.
  function watched(statement: D1PreparedStatement, sql: string, params: unknown[]): D1PreparedStatement {
    made.set(statement, { sql, params });
    const [bind, all, raw, run] = [statement.bind, statement.all, statement.raw, statement.run];
    const replace = (name: string, value: unknown) => Object.defineProperty(statement, name, { value });
    replace("bind", (...given: unknown[]) => watched(bind.apply(statement, given), sql, given));
    replace("all", async () => {
      const result = await all.call(statement);
      note(statement, result.meta.rows_read);
      return result;
    });
    replace("raw", async (options: never) => {
      // The answer of raw() has no count: a read is asked twice.
      if (/^select/i.test(sql)) note(statement, (await all.call(statement)).meta.rows_read);
      return raw.call(statement, options);
    });
    replace("run", async () => {
      const result = await run.call(statement);
      note(statement, result.meta.rows_read);
      return result;
    });
    return statement;
  }

  const d1 = new Proxy(env.DB, {
    get(target, key) {
      if (key === "prepare") return (sql: string) => watched(target.prepare(sql), sql, []);
      if (key === "batch") {
        return async (batch: D1PreparedStatement[]) => {
          const results = await target.batch(batch);
          results.forEach(({ meta }, index) => {
            const statement = batch[index];
            if (statement) note(statement, meta.rows_read);
          });
          return results;
        };
      }
      return Reflect.get(target, key);
    },
  });
  return { db: database(d1), statements };
}

/** The lines of a statement's query plan. */
export async function planOf({ sql, params }: Pick<Recorded, "sql" | "params">): Promise<string[]> {
  const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<{ detail: string }>();
  return plan.results.map(({ detail }) => detail);
}
