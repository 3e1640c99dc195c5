import { eq } from "drizzle-orm";
import type { Database } from "./database";
import { organizations as table } from "./schema";

/** Every organization: only the sweep looks across them. */
export function organizations(db: Database) {
  return {
    active: () => db.select({ id: table.id }).from(table).where(eq(table.active, true)).orderBy(table.id),
  };
}
