import { and, eq, sql } from "drizzle-orm";
import type { OrgMembershipRole } from "#domain/enums";
import type { Database } from "./database";
import { org_memberships as memberships, organizations, second_factors, sessions } from "./schema";

/** What D1 has of one session in one organization, with the departments of its person. Instants are ISO 8601. */
export type Standing = {
  sid: string;
  /** The department that was asked with, and whether there is such a one. */
  chosen: string | null;
  has_chosen: boolean;
  user_id: string;
  role: OrgMembershipRole;
  pending: boolean;
  sessions_end_at: string | null;
  expires_at: string;
  revoked_at: string | null;
  created_at: string;
  last_active_at: string | null;
  code_hash: string | null;
  second_factor_at: string | null;
  depts: string[];
};

/**
 * Those of the sessions that are in the organization, whose person is an active member of it, in one statement. Each is
 * asked for with the department that the person has chosen.
 */
export function sessionsOf(
  db: Database,
  org_id: string,
  asked: { sid: string; dept_id: string | null }[],
): Promise<Standing[]> {
  const wanted = sql`json_each(${JSON.stringify(asked)})`;
  const chosen = sql<string | null>`value ->> 'dept_id'`;
  const person = sql`${sessions.user_id}`;
  return db
    .select({
      sid: sessions.id,
      chosen,
      has_chosen: sql<boolean>`EXISTS (SELECT 1 FROM departments WHERE org_id = ${org_id} AND id = ${chosen})`.mapWith(
        Boolean,
      ),
      user_id: sessions.user_id,
      role: memberships.role,
      pending: memberships.pending,
      sessions_end_at: memberships.sessions_end_at,
      expires_at: sessions.expires_at,
      revoked_at: sessions.revoked_at,
      created_at: sessions.created_at,
      last_active_at: sessions.last_active_at,
      code_hash: sessions.code_hash,
      second_factor_at: second_factors.confirmed_at,
      depts: sql<string[]>`(SELECT json_group_array(d.dept_id) FROM dept_memberships d
        WHERE d.org_id = ${org_id} AND d.user_id = ${person})`.mapWith((text: string): string[] => JSON.parse(text)),
    })
    .from(wanted)
    .innerJoin(sessions, and(eq(sessions.id, sql`value ->> 'sid'`), eq(sessions.org_id, org_id)))
    .innerJoin(
      memberships,
      and(eq(memberships.org_id, org_id), eq(memberships.user_id, sessions.user_id), eq(memberships.active, true)),
    )
    .innerJoin(organizations, and(eq(organizations.id, org_id), eq(organizations.active, true)))
    .leftJoin(second_factors, eq(second_factors.user_id, sessions.user_id));
}
