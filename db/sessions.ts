import { and, desc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "./database";
import {
  departments,
  dept_memberships,
  org_memberships,
  organizations,
  second_factors,
  sessions as table,
  settings,
  users,
} from "./schema";

type NewSession = Pick<
  typeof table.$inferInsert,
  "id" | "user_id" | "org_id" | "expires_at" | "created_at" | "code_hash" | "address" | "user_agent"
>;

/** The settings for a session's idle timeout and second factor. */
const SESSION_SETTINGS = ["SESSION_IDLE_MIN", "SECOND_FACTOR_ROLES"];

/** Everyone's sessions, not scoped to an organization: the person must be known before their organization is. */
export function sessions(db: Database) {
  return {
    /** The session, its person and all their memberships, in one round trip; runs on every request. */
    open: (sid: string, org_id: string, dept_id: string | null) => {
      const mine = eq(table.id, sid);
      return db.batch([
        db
          .select({
            user_id: users.id,
            email: users.email,
            expires_at: table.expires_at,
            revoked_at: table.revoked_at,
            created_at: table.created_at,
            last_active_at: table.last_active_at,
            code_hash: table.code_hash,
            second_factor_at: second_factors.confirmed_at,
          })
          .from(table)
          .innerJoin(users, eq(users.id, table.user_id))
          .leftJoin(second_factors, eq(second_factors.user_id, table.user_id))
          .where(mine),
        db
          .select({
            org_id: organizations.id,
            org_name: organizations.name,
            role: org_memberships.role,
            pending: org_memberships.pending,
            sessions_end_at: org_memberships.sessions_end_at,
          })
          .from(org_memberships)
          .innerJoin(table, eq(table.user_id, org_memberships.user_id))
          .innerJoin(organizations, eq(organizations.id, org_memberships.org_id))
          .where(and(mine, eq(org_memberships.active, true), eq(organizations.active, true)))
          .orderBy(org_memberships.created_at, organizations.name),
        db
          .select({ dept_id: dept_memberships.dept_id, org_id: dept_memberships.org_id, role: dept_memberships.role })
          .from(dept_memberships)
          .innerJoin(table, eq(table.user_id, dept_memberships.user_id))
          .innerJoin(
            org_memberships,
            and(
              eq(org_memberships.org_id, dept_memberships.org_id),
              eq(org_memberships.user_id, dept_memberships.user_id),
            ),
          )
          .where(and(mine, eq(org_memberships.pending, false))),
        db
          .select({ id: departments.id })
          .from(departments)
          .where(and(eq(departments.org_id, org_id), eq(departments.id, dept_id ?? ""))),
        db
          .select({ key: settings.key, value: settings.value })
          .from(settings)
          .where(and(eq(settings.org_id, org_id), inArray(settings.key, SESSION_SETTINGS))),
      ]);
    },

    /** A person's valid sessions, latest activity first. */
    list: (user_id: string, now: string) =>
      db
        .select({
          id: table.id,
          created_at: table.created_at,
          last_active_at: sql<string>`coalesce(${table.last_active_at}, ${table.created_at})`,
          expires_at: table.expires_at,
          address: table.address,
          user_agent: table.user_agent,
        })
        .from(table)
        .where(and(eq(table.user_id, user_id), isNull(table.revoked_at), gt(table.expires_at, now)))
        .orderBy(desc(sql`coalesce(${table.last_active_at}, ${table.created_at})`), table.id),

    create: (session: NewSession) => db.insert(table).values(session),

    /** Records activity of the person. */
    touch: (id: string, at: string) => db.update(table).set({ last_active_at: at }).where(eq(table.id, id)),

    /** Stores the organization where the person is now; the next sign-in starts there. */
    move: (id: string, org_id: string, dept_id: string | null) =>
      db.update(table).set({ org_id, dept_id }).where(eq(table.id, id)),

    revoke: (id: string, at: string) =>
      db
        .update(table)
        .set({ revoked_at: at })
        .where(and(eq(table.id, id), isNull(table.revoked_at))),

    /** Ends all of a person's sessions. */
    revokeAll: (user_id: string, at: string) =>
      db
        .update(table)
        .set({ revoked_at: at })
        .where(and(eq(table.user_id, user_id), isNull(table.revoked_at))),

    /** Ends a person's sessions in one organization. */
    revokeIn: (org_id: string, user_id: string, at: string) =>
      db
        .update(table)
        .set({ revoked_at: at })
        .where(and(eq(table.org_id, org_id), eq(table.user_id, user_id), isNull(table.revoked_at))),
  };
}
