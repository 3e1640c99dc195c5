import { eq } from "drizzle-orm";
import type { Database } from "./database";
import { organizations as table } from "./schema";

/** The organizations themselves, not scoped to one. */
export function organizations(db: Database) {
  return {
    /** Triggers increase it with every change that the engine plans from. */
    planVersion: (id: string) => db.select({ version: table.config_version }).from(table).where(eq(table.id, id)),

    /** Those that are inactive, too: their logs are kept as long. */
    ids: async () => (await db.select({ id: table.id }).from(table).orderBy(table.id)).map(({ id }) => id),

    /** Each with its name, for the operator. */
    all: () => db.select({ id: table.id, name: table.name }).from(table).orderBy(table.name, table.id),

    active: () => db.select({ id: table.id }).from(table).where(eq(table.active, true)).orderBy(table.id),
  };
}
