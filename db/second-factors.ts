import { and, count, eq, isNotNull, lt, sql } from "drizzle-orm";
import type { Database } from "./database";
import { recovery_codes, second_factors as table } from "./schema";

/** The authenticator app and the recovery codes of one person. The app's secret is sealed. */
export function secondFactor(db: Database, user_id: string) {
  const mine = eq(table.user_id, user_id);
  return {
    find: () => db.select().from(table).where(mine).get(),

    /** Stores a new unconfirmed app. Fails on its NOT NULL for a confirmed one, which must be removed first. */
    begin: (sealed_secret: string) =>
      db
        .insert(table)
        .values({ user_id, sealed_secret })
        .onConflictDoUpdate({
          target: table.user_id,
          set: { sealed_secret: sql`case when ${table.confirmed_at} is null then ${sealed_secret} end`, last_step: 0 },
        }),

    /** Fails on the secret's NOT NULL where the app is confirmed by now, or another one was begun. */
    confirm: (sealed_secret: string, at: string, last_step: number) => {
      const isBegun = sql`${table.confirmed_at} is null and ${table.sealed_secret} = ${sealed_secret}`;
      return db
        .update(table)
        .set({ sealed_secret: sql`case when ${isBegun} then ${sealed_secret} end`, confirmed_at: at, last_step })
        .where(mine);
    },

    /** Accepts the code of this step; returns nothing if this or a later step was accepted before. */
    take: (step: number) =>
      db
        .update(table)
        .set({ last_step: step })
        .where(and(mine, isNotNull(table.confirmed_at), lt(table.last_step, step)))
        .returning({ user_id: table.user_id }),

    remove: () => db.delete(table).where(mine),

    codesLeft: () =>
      db
        .select({ n: count() })
        .from(recovery_codes)
        .where(eq(recovery_codes.user_id, user_id))
        .get()
        .then((row) => row?.n ?? 0),

    addCodes: (hashes: string[]) =>
      db.insert(recovery_codes).values(hashes.map((code_hash) => ({ code_hash, user_id }))),

    removeCodes: () => db.delete(recovery_codes).where(eq(recovery_codes.user_id, user_id)),

    /** Uses a recovery code up; returns nothing if it is not this person's. */
    takeCode: (code_hash: string) =>
      db
        .delete(recovery_codes)
        .where(and(eq(recovery_codes.user_id, user_id), eq(recovery_codes.code_hash, code_hash)))
        .returning({ user_id: recovery_codes.user_id }),
  };
}
