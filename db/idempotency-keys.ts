import { and, eq, gte, lt } from "drizzle-orm";
import type { Database } from "./database";
import { idempotency_keys as table } from "./schema";

type Owner = { org_id: string; user_id: string };

/** One person's idempotency keys; those from before `since` (ISO, UTC) have expired. */
export function idempotencyKeys(db: Database, { org_id, user_id }: Owner, since: string) {
  const only = (key: string) => and(eq(table.org_id, org_id), eq(table.user_id, user_id), eq(table.key, key));

  return {
    find: (key: string) =>
      db
        .select({ fingerprint: table.fingerprint, record_id: table.record_id, sealed_answer: table.sealed_answer })
        .from(table)
        .where(and(only(key), gte(table.created_at, since)))
        .get(),

    /** Statements for the write's batch; a second write with the key fails on the primary key, even a simultaneous one. */
    remember: (key: string, fingerprint: string, record_id: string, created_at: string) => [
      db.delete(table).where(and(only(key), lt(table.created_at, since))),
      db.insert(table).values({ org_id, user_id, key, fingerprint, record_id, created_at }),
    ],

    answer: (key: string, sealed_answer: string) => db.update(table).set({ sealed_answer }).where(only(key)),
  };
}
