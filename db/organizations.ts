import { eq } from "drizzle-orm";
import type { Database } from "./database";
import { organizations as table } from "./schema";

/** Every organization: only the sweep looks across them. */
export function organizations(db: Database) {
  return {
    /** Rises with every change of what the engine plans from; the triggers see to that. */
    planVersion: (id: string) => db.select({ version: table.config_version }).from(table).where(eq(table.id, id)),

    active: () => db.select({ id: table.id }).from(table).where(eq(table.active, true)).orderBy(table.id),
  };
}
