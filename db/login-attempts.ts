import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { Database } from "./database";
import { login_attempts as table } from "./schema";

export type Bounds = { since: string; per_email: number; per_address: number };

/** The failed sign-ins from one network address (decision 5). */
export function loginAttempts(db: Database, address: string) {
  return {
    /** The latest first, at most `limit`. */
    since: (since: string, limit: number) =>
      db
        .select({ email: table.email, at: table.at })
        .from(table)
        .where(and(eq(table.address, address), gt(table.at, since)))
        .orderBy(desc(table.at))
        .limit(limit),

    /**
     * Records one, unless the bounds are reached: counted and written in a single statement, so that a thousand
     * guesses at once are no more than one after the other. Answers the row, or nothing.
     */
    record: (email: string, at: string, { since, per_email, per_address }: Bounds) => {
      const recent = sql`SELECT count(*) FROM ${table} WHERE ${table.address} = ${address} AND ${table.at} > ${since}`;
      return db
        .insert(table)
        .select(
          sql`SELECT NULL, ${email}, ${address}, ${at}
            WHERE (${recent} AND ${table.email} = ${email}) < ${per_email} AND (${recent}) < ${per_address}`,
        )
        .returning({ id: table.id });
    },

    /** Everybody's that are too old to count. */
    forget: (before: string) => db.delete(table).where(lt(table.at, before)),
  };
}
