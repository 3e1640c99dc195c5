import { eq } from "drizzle-orm";
import type { Database } from "./database";
import { settings as table } from "./schema";
import { NOW } from "./versions";

/** The settings of one organization: one row per key that was ever saved. The UAC key's value is sealed. */
export function settings(db: Database, org_id: string) {
  return {
    list: () => db.select({ key: table.key, value: table.value }).from(table).where(eq(table.org_id, org_id)),

    save: (key: string, value: unknown) =>
      db
        .insert(table)
        .values({ org_id, key, value })
        .onConflictDoUpdate({ target: [table.org_id, table.key], set: { value, updated_at: NOW } }),
  };
}
