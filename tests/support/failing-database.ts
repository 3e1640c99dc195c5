import { env } from "cloudflare:workers";

type Failing = {
  d1: D1Database;
  /** Whether a round trip has failed. */
  failed: () => boolean;
  /** The tables that a round trip has written to, for each one that did, in one string. */
  written: () => string[];
};

/** The real database as the binding, of which the `nth` round trip and all after it fail. */
export function failingFrom(nth: number, message: string): Failing {
  let trips = 0;
  const wrote: string[] = [];
  const texts = new WeakMap<D1PreparedStatement, string>();
  async function trip<Answer>(statements: D1PreparedStatement[], carry: () => Promise<Answer>): Promise<Answer> {
    trips += 1;
    if (trips >= nth) throw new Error(message);
    const answer = await carry();
    const results: unknown[] = Array.isArray(answer) && statements.length === answer.length ? answer : [answer];
    const tables = statements.flatMap((statement, i) => (isIdle(results[i]) ? [] : tablesOf(texts.get(statement))));
    if (tables.length > 0) wrote.push([...new Set(tables)].toSorted().join(" "));
    return answer;
  }
  const failing = new Proxy(env.DB, {
    get(d1, key) {
      if (key === "prepare") return (sql: string) => failingStatement(d1.prepare(sql), sql);
      if (key === "batch") return (statements: D1PreparedStatement[]) => trip(statements, () => d1.batch(statements));
      return Reflect.get(d1, key);
    },
  });
  // D1 accepts only its own statements, so replace their methods instead of wrapping them.
  function failingStatement(statement: D1PreparedStatement, sql: string): D1PreparedStatement {
    texts.set(statement, sql);
    const { bind } = statement;
    for (const verb of ["all", "raw", "run", "first"] as const) {
      const original: (...given: never[]) => Promise<unknown> = statement[verb];
      Object.defineProperty(statement, verb, {
        value: (...given: never[]) => trip([statement], () => original.apply(statement, given)),
      });
    }
    Object.defineProperty(statement, "bind", {
      value: (...given: unknown[]) => failingStatement(bind.apply(statement, given), sql),
    });
    return statement;
  }
  return { d1: failing, failed: () => trips >= nth, written: () => wrote };
}

/** Whether D1 says of a statement that it changed nothing; of rows alone (`raw`, `first`) it does not. */
function isIdle(result: unknown): boolean {
  const meta = typeof result === "object" && result !== null && "meta" in result ? result.meta : null;
  return typeof meta === "object" && meta !== null && "changes" in meta && meta.changes === 0;
}

/** What a statement writes to; of an 'on conflict do update set' the table is named before. */
function tablesOf(sql = ""): string[] {
  const named = [...sql.matchAll(/\b(?:insert (?:or \w+ )?into|update|delete from)\s+"?(\w+)/gi)];
  return named.flatMap(([, table = ""]) => (table.toLowerCase() === "set" ? [] : [table]));
}
