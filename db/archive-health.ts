import { sql } from "drizzle-orm";
import type { Database } from "./database";
import { archive_health as table } from "./schema";

/** What a run of the archive found of an organization. Instants are ISO 8601. */
export type ArchiveFound = Pick<typeof table.$inferSelect, "org_id" | "run_at" | "waiting_since" | "failed">;

/** How far the organizations' logs were moved to the archive: for whoever runs the deployment. */
export function archiveHealth(db: Database) {
  return {
    list: () => db.select().from(table),

    /** Without a failure the last one stays, with its time. */
    note: ({ failed, ...found }: ArchiveFound) => {
      const failure = failed === null ? {} : { failed, failed_at: found.run_at };
      return db
        .insert(table)
        .values({ ...found, ...failure })
        .onConflictDoUpdate({
          target: table.org_id,
          set: { run_at: sql`excluded.run_at`, waiting_since: sql`excluded.waiting_since`, ...failure },
        });
    },
  };
}
