import { env } from "cloudflare:workers";

/** The real database as the binding, of which the `nth` round trip and all after it fail; `failed` says whether one has. */
export function failingFrom(nth: number, message: string): { d1: D1Database; failed: () => boolean } {
  let trips = 0;
  function trip<Answer>(carry: () => Answer): Answer | Promise<never> {
    trips += 1;
    return trips < nth ? carry() : Promise.reject(new Error(message));
  }
  const failing = new Proxy(env.DB, {
    get(d1, key) {
      if (key === "prepare") return (sql: string) => failingStatement(d1.prepare(sql));
      if (key === "batch") return (statements: D1PreparedStatement[]) => trip(() => d1.batch(statements));
      return Reflect.get(d1, key);
    },
  });
  // D1 accepts only its own statements, so replace their methods instead of wrapping them.
  function failingStatement(statement: D1PreparedStatement): D1PreparedStatement {
    const { bind } = statement;
    for (const verb of ["all", "raw", "run", "first"] as const) {
      const original: (...given: never[]) => unknown = statement[verb];
      Object.defineProperty(statement, verb, {
        value: (...given: never[]) => trip(() => original.apply(statement, given)),
      });
    }
    Object.defineProperty(statement, "bind", {
      value: (...given: unknown[]) => failingStatement(bind.apply(statement, given)),
    });
    return statement;
  }
  return { d1: failing, failed: () => trips >= nth };
}
