import { and, eq, isNull, lt } from "drizzle-orm";
import type { Database } from "./database";
import { departments, dept_memberships, org_memberships, organizations, sessions as table, users } from "./schema";

/** The sessions of everyone: who somebody is has to be known before their organization is. */
export function sessions(db: Database) {
  return {
    /** The session, its person and all their memberships, in one round trip; it is made for every request. */
    open: (sid: string, org_id: string, dept_id: string | null) => {
      const mine = eq(table.id, sid);
      return db.batch([
        db
          .select({ user_id: users.id, email: users.email, expires_at: table.expires_at, revoked_at: table.revoked_at })
          .from(table)
          .innerJoin(users, eq(users.id, table.user_id))
          .where(mine),
        db
          .select({ org_id: organizations.id, org_name: organizations.name, role: org_memberships.role })
          .from(org_memberships)
          .innerJoin(table, eq(table.user_id, org_memberships.user_id))
          .innerJoin(organizations, eq(organizations.id, org_memberships.org_id))
          .where(and(mine, eq(org_memberships.active, true), eq(organizations.active, true)))
          .orderBy(org_memberships.created_at, organizations.name),
        db
          .select({ dept_id: dept_memberships.dept_id, org_id: dept_memberships.org_id, role: dept_memberships.role })
          .from(dept_memberships)
          .innerJoin(table, eq(table.user_id, dept_memberships.user_id))
          .where(mine),
        db
          .select({ id: departments.id })
          .from(departments)
          .where(and(eq(departments.org_id, org_id), eq(departments.id, dept_id ?? ""))),
      ]);
    },

    create: (session: { id: string; user_id: string; org_id: string; expires_at: string; created_at: string }) =>
      db.insert(table).values(session),

    /** Where the person works now: the next sign-in begins there. */
    move: (id: string, org_id: string, dept_id: string | null) =>
      db.update(table).set({ org_id, dept_id }).where(eq(table.id, id)),

    revoke: (id: string, at: string) =>
      db
        .update(table)
        .set({ revoked_at: at })
        .where(and(eq(table.id, id), isNull(table.revoked_at))),

    /** Of one person, everywhere. */
    revokeAll: (user_id: string, at: string) =>
      db
        .update(table)
        .set({ revoked_at: at })
        .where(and(eq(table.user_id, user_id), isNull(table.revoked_at))),

    /** Of one person, where they are in one organization. */
    revokeIn: (org_id: string, user_id: string, at: string) =>
      db
        .update(table)
        .set({ revoked_at: at })
        .where(and(eq(table.org_id, org_id), eq(table.user_id, user_id), isNull(table.revoked_at))),

    forget: (before: string) => db.delete(table).where(lt(table.expires_at, before)),
  };
}
