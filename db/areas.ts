import { and, eq, getTableColumns } from "drizzle-orm";
import type { Database } from "./database";
import { areas as table } from "./schema";
import { nextVersion, NOW } from "./versions";

export type AreaValues = Partial<Pick<typeof table.$inferInsert, "type" | "location" | "active">> & { name: string };

/** The areas of one organization. */
export function areas(db: Database, org_id: string) {
  const { org_id: _, ...record } = getTableColumns(table);
  const only = (id: string) => and(eq(table.org_id, org_id), eq(table.id, id));

  return {
    list: () => db.select(record).from(table).where(eq(table.org_id, org_id)).orderBy(table.name, table.id),

    find: (id: string) => db.select(record).from(table).where(only(id)).get(),

    create: (id: string, values: AreaValues) => db.insert(table).values({ ...values, id, org_id }),

    save: (id: string, values: AreaValues, if_match?: number) =>
      db
        .update(table)
        .set({ ...values, updated_at: NOW, version: nextVersion(table.version, if_match) })
        .where(only(id)),

    remove: (id: string) => db.delete(table).where(only(id)),
  };
}
