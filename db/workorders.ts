import { and, desc, eq, getTableColumns } from "drizzle-orm";
import type { Database } from "./database";
import { inDepts } from "./department-filter";
import { org_memberships, workorders as table } from "./schema";
import { nextVersion, NOW } from "./versions";

export type WorkorderValues = Partial<
  Pick<
    typeof table.$inferInsert,
    "description" | "status" | "priority" | "dept_id" | "device_id" | "area_id" | "assigned_to" | "completed_at"
  >
> & { title: string };

/** The work orders of one organization; `depts` are those to show besides what is organization-wide, null all. */
export function workorders(db: Database, org_id: string) {
  const { org_id: _, ...record } = getTableColumns(table);
  const only = (id: string) => and(eq(table.org_id, org_id), eq(table.id, id));

  return {
    list: (depts: string[] | null) =>
      db
        .select(record)
        .from(table)
        .where(and(eq(table.org_id, org_id), inDepts(table.dept_id, depts)))
        .orderBy(desc(table.created_at), desc(table.id)),

    find: (id: string, depts: string[] | null) =>
      db
        .select(record)
        .from(table)
        .where(and(only(id), inDepts(table.dept_id, depts)))
        .get(),

    /** Whether the person works here, and so can be asked to. */
    findAssignee: (user_id: string) =>
      db
        .select({ user_id: org_memberships.user_id })
        .from(org_memberships)
        .where(
          and(
            eq(org_memberships.org_id, org_id),
            eq(org_memberships.user_id, user_id),
            eq(org_memberships.active, true),
          ),
        )
        .get(),

    create: (id: string, values: WorkorderValues & { created_by: string }) =>
      db.insert(table).values({ ...values, id, org_id }),

    save: (id: string, values: WorkorderValues, if_match?: number) =>
      db
        .update(table)
        .set({ ...values, updated_at: NOW, version: nextVersion(table.version, if_match) })
        .where(only(id)),

    remove: (id: string) => db.delete(table).where(only(id)),
  };
}
