import { and, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import type { DeptRole } from "#domain/enums";
import type { Database } from "./database";
import { byName } from "./page";
import { departments as table, dept_memberships as memberships, users } from "./schema";
import { isExpected } from "./users";
import { nextVersion } from "./versions";

/** The departments of one organization, and who is in them. */
export function departments(db: Database, org_id: string) {
  const { created_at: _, ...record } = getTableColumns(table);
  const only = (id: string) => and(eq(table.org_id, org_id), eq(table.id, id));
  const one = (dept_id: string, user_id: string) =>
    and(eq(memberships.org_id, org_id), eq(memberships.dept_id, dept_id), eq(memberships.user_id, user_id));
  const member = { id: memberships.id, user_id: memberships.user_id, email: users.email, role: memberships.role };

  return {
    /** All departments, or those in `ids`. */
    list: (ids?: string[]) =>
      db
        .select(record)
        .from(table)
        .where(
          and(
            eq(table.org_id, org_id),
            ids && inArray(table.id, sql`(select value from json_each(${JSON.stringify(ids)}))`),
          ),
        )
        .orderBy(byName(table.name), table.id),

    find: (id: string) => db.select(record).from(table).where(only(id)).get(),

    create: (id: string, name: string) => db.insert(table).values({ id, org_id, name }),

    save: (id: string, name: string, if_match?: number) =>
      db
        .update(table)
        .set({ name, version: nextVersion(table.version, if_match) })
        .where(only(id)),

    remove: (id: string) => db.delete(table).where(only(id)),

    members: (dept_id: string) =>
      db
        .select(member)
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.user_id))
        .where(and(eq(memberships.org_id, org_id), eq(memberships.dept_id, dept_id)))
        .orderBy(users.email),

    findMember: (dept_id: string, user_id: string) =>
      db
        .select(member)
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.user_id))
        .where(one(dept_id, user_id))
        .get(),

    /** Fails on its NOT NULL if the person has left the organization meanwhile: they would be here when they come back. */
    addMember: (id: string, dept_id: string, user_id: string, role: DeptRole) =>
      db.insert(memberships).values({
        id,
        org_id,
        dept_id,
        user_id: sql`case when ${isExpected(org_id, user_id)} then ${user_id} end`,
        role,
      }),

    removeMember: (dept_id: string, user_id: string) => db.delete(memberships).where(one(dept_id, user_id)),
  };
}
