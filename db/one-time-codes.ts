import { and, eq, gt, isNull, lt } from "drizzle-orm";
import type { Database } from "./database";
import { one_time_codes as table } from "./schema";

/** The codes of invitations, password resets and operator recoveries, by their hash. */
export function oneTimeCodes(db: Database) {
  const ofOrg = (org_id: string | null) => (org_id === null ? isNull(table.org_id) : eq(table.org_id, org_id));
  return {
    /** The person's valid code with this hash, or nothing. */
    find: (user_id: string, code_hash: string, now: string) =>
      db
        .select({ code_hash: table.code_hash, org_id: table.org_id })
        .from(table)
        .where(and(eq(table.user_id, user_id), eq(table.code_hash, code_hash), gt(table.expires_at, now)))
        .get(),

    /** The organizations whose invitation or reset the person can redeem now. */
    openIn: (user_id: string, now: string) =>
      db
        .select({ org_id: table.org_id })
        .from(table)
        .where(and(eq(table.user_id, user_id), gt(table.expires_at, now))),

    create: (row: typeof table.$inferInsert) => db.insert(table).values(row),

    remove: (code_hash: string) => db.delete(table).where(eq(table.code_hash, code_hash)),

    /** Replaces the person's older code in the organization. */
    removeOf: (user_id: string, org_id: string | null) =>
      db.delete(table).where(and(eq(table.user_id, user_id), ofOrg(org_id))),

    forget: (before: string) => db.delete(table).where(lt(table.expires_at, before)),
  };
}
