import { and, desc, eq, gt, lt, notLike, sql } from "drizzle-orm";
import type { Database } from "./database";
import { login_attempts as table } from "./schema";

export type Attempt = { email: string; at: string };

type Bounds = {
  since: string;
  account_since: string;
  per_email: number;
  per_address: number;
  per_account: number;
};

/** Far above every limit. */
const MOST = 100;

/** Failed or unfinished sign-in attempts, from one address (or known device) and of one account. */
export function loginAttempts(db: Database, address: string) {
  return {
    /** From this address, and of this account from every address except known devices; latest first. */
    since: (email: string, since: string, account_since: string): Promise<[Attempt[], Attempt[]]> => {
      const failure = { email: table.email, at: table.at };
      return db.batch([
        db
          .select(failure)
          .from(table)
          .where(and(eq(table.address, address), gt(table.at, since)))
          .orderBy(desc(table.at))
          .limit(MOST),
        db
          .select(failure)
          .from(table)
          .where(and(eq(table.email, email), gt(table.at, account_since), notLike(table.address, "device:%")))
          .orderBy(desc(table.at))
          .limit(MOST),
      ]);
    },

    /**
     * Records an attempt unless a limit is reached; returns the row, or nothing. A single statement counts and writes, so
     * that a thousand simultaneous guesses count like consecutive ones.
     */
    record: (email: string, at: string, bounds: Bounds) => {
      const { since, account_since, per_email, per_address, per_account } = bounds;
      const here = sql`SELECT count(*) FROM ${table} WHERE ${table.address} = ${address} AND ${table.at} > ${since}`;
      const ofAccount = sql`SELECT count(*) FROM ${table} WHERE ${table.email} = ${email}
        AND ${table.at} > ${account_since} AND ${table.address} NOT LIKE 'device:%'`;
      return db
        .insert(table)
        .select(
          sql`SELECT NULL, ${email}, ${address}, ${at}
            WHERE (${here} AND ${table.email} = ${email}) < ${per_email} AND (${here}) < ${per_address}
            AND (${ofAccount}) < ${per_account}`,
        )
        .returning({ id: table.id });
    },

    /** Forgets an attempt that proved right. */
    forget: (id: number) => db.delete(table).where(eq(table.id, id)),

    /** Deletes all attempts that are too old to count. */
    forgetBefore: (before: string) => db.delete(table).where(lt(table.at, before)),
  };
}
