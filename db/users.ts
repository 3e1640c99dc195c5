import { and, count, eq, inArray, ne, sql, type SQL } from "drizzle-orm";
import type { OrgMembershipRole } from "#domain/enums";
import type { Database } from "./database";
import {
  dept_memberships,
  one_time_codes,
  org_memberships as memberships,
  organizations,
  sessions,
  users as table,
} from "./schema";
import { nextVersion } from "./versions";

/** The people of one organization. `version` is the membership's, which has the role and the active flag. */
export function users(db: Database, org_id: string) {
  const only = (id: string) => and(eq(memberships.org_id, org_id), eq(memberships.user_id, id));
  const record = {
    id: table.id,
    email: table.email,
    role: memberships.role,
    active: memberships.active,
    pending: memberships.pending,
    version: memberships.version,
  };
  const here = () => db.select(record).from(memberships).innerJoin(table, eq(table.id, memberships.user_id));

  return {
    list: () => here().where(eq(memberships.org_id, org_id)).orderBy(table.email),

    find: (id: string) => here().where(only(id)).get(),

    findByEmail: (email: string) =>
      here()
        .where(and(eq(memberships.org_id, org_id), eq(table.email, email)))
        .get(),

    /** Adds a pending membership, which the person has yet to accept. */
    invite: (user_id: string, role: OrgMembershipRole) =>
      db.insert(memberships).values({ org_id, user_id, role, pending: true }),

    /**
     * Fails on its NOT NULL if the code is gone: it may have been redeemed, or replaced, since it was found. So it does if the
     * person was deactivated, who would otherwise be refused and have joined all the same.
     */
    accept: (user_id: string, code_hash: string) =>
      db
        .update(memberships)
        .set({ pending: sql`CASE WHEN ${memberships.active} AND EXISTS ${codeOf(db, code_hash)} THEN 0 END` })
        .where(only(user_id)),

    /**
     * Changes the membership. A change that removes the last admin (or organization admin) fails on the role's NOT NULL,
     * even if another admin is changed at the same moment.
     */
    save: (id: string, values: { role: OrgMembershipRole; active: boolean }, if_match?: number) => {
      const staysAdmin = values.active && isOneOf(ADMINS, values.role);
      const staysTop = values.active && isOneOf(ORG_ADMINS, values.role);
      const allowed = and(
        staysAdmin ? undefined : orAnother(db, org_id, id, ADMINS),
        staysTop ? undefined : orAnother(db, org_id, id, ORG_ADMINS),
      );
      const role = allowed ? sql`CASE WHEN ${allowed} THEN ${values.role} END` : values.role;
      return db
        .update(memberships)
        .set({ active: values.active, role, version: nextVersion(memberships.version, if_match) })
        .where(only(id));
    },

    /** Ends the person's sessions here for good, even if the membership is activated again. */
    endSessions: (id: string, at: string) => db.update(memberships).set({ sessions_end_at: at }).where(only(id)),

    remove: (id: string) => db.delete(memberships).where(only(id)),

    removeFromDepartments: (id: string) =>
      db.delete(dept_memberships).where(and(eq(dept_memberships.org_id, org_id), eq(dept_memberships.user_id, id))),
  };
}

/** Everyone, not scoped to an organization: sign-in and invitations look a person up by e-mail. */
export function people(db: Database) {
  return {
    findByEmail: (email: string) => db.select().from(table).where(eq(table.email, email)).get(),

    find: (id: string) => db.select().from(table).where(eq(table.id, id)).get(),

    create: (person: { id: string; email: string; password_hash: string }) => db.insert(table).values(person),

    /** Changes nothing. Fails on its NOT NULL if the password is another one by now than the one that was proved. */
    stillHas: (id: string, password_hash: string) =>
      db
        .update(table)
        .set({ password_hash: sql`CASE WHEN ${table.password_hash} = ${password_hash} THEN ${password_hash} END` })
        .where(eq(table.id, id)),

    setPassword: (id: string, password_hash: string) => db.update(table).set({ password_hash }).where(eq(table.id, id)),

    /** Sets the first password. Fails on its NOT NULL if there is one, since a code changes no existing password. */
    setFirstPassword: (id: string, password_hash: string) =>
      db
        .update(table)
        .set({ password_hash: sql`CASE WHEN ${table.password_hash} = '' THEN ${password_hash} END` })
        .where(eq(table.id, id)),

    /** Removes the password. Fails on its NOT NULL for a member of another organization, even one who joined just now. */
    clearPassword: (id: string, org_id: string) =>
      db
        .update(table)
        .set({ password_hash: sql`CASE WHEN NOT EXISTS ${elsewhere(db, id, org_id)} THEN '' END` })
        .where(eq(table.id, id)),

    /** The organizations that a person belongs or is invited to, the one of their latest session first. */
    homes: (user_id: string) =>
      db
        .select({ org_id: memberships.org_id, role: memberships.role, pending: memberships.pending })
        .from(memberships)
        .innerJoin(organizations, eq(organizations.id, memberships.org_id))
        .where(and(eq(memberships.user_id, user_id), eq(memberships.active, true), eq(organizations.active, true)))
        .orderBy(sql`${lastSession(user_id)} DESC`, memberships.created_at, organizations.name),
  };
}

/** Who sees every department, and may change all. */
export const ADMINS = ["org_admin", "admin"] as const satisfies readonly OrgMembershipRole[];
const ORG_ADMINS = ["org_admin"] as const satisfies readonly OrgMembershipRole[];
type Ranks = readonly OrgMembershipRole[];

/** The person has none of these roles, or somebody else here has one. Pending memberships do not count. */
function orAnother(db: Database, org_id: string, user_id: string, ranks: Ranks) {
  const others = db
    .select({ n: count() })
    .from(memberships)
    .where(and(eq(memberships.org_id, org_id), ne(memberships.user_id, user_id), isOne(ranks)));
  return sql`((${others}) > 0 OR NOT ${isOne(ranks)})`;
}

function isOne(ranks: Ranks) {
  return sql`(${memberships.active} AND NOT ${memberships.pending} AND ${inArray(memberships.role, [...ranks])})`;
}

/** Whether the person works in the organization now, who can be given something to do there. */
export function isMember(org_id: string, user_id: string): SQL {
  return sql`exists (select 1 from ${memberships} where ${isWorking(org_id, user_id)})`;
}

/** The same of the row of memberships that is theirs. */
export function isWorking(org_id: string, user_id: string): SQL | undefined {
  return and(isActive(org_id, user_id), eq(memberships.pending, false));
}

/** Whether the person works in the organization now, or is invited to. */
export function isExpected(org_id: string, user_id: string): SQL {
  return sql`exists (select 1 from ${memberships} where ${isActive(org_id, user_id)})`;
}

function isActive(org_id: string, user_id: string): SQL | undefined {
  return and(eq(memberships.org_id, org_id), eq(memberships.user_id, user_id), eq(memberships.active, true));
}

function codeOf(db: Database, code_hash: string) {
  return db
    .select({ one: sql`1` })
    .from(one_time_codes)
    .where(eq(one_time_codes.code_hash, code_hash));
}

/** Counts accepted memberships only, so that an invitation cannot block the person's own admin from helping. */
function elsewhere(db: Database, user_id: string, org_id: string) {
  return db
    .select({ one: sql`1` })
    .from(memberships)
    .where(
      and(
        eq(memberships.user_id, user_id),
        ne(memberships.org_id, org_id),
        eq(memberships.active, true),
        eq(memberships.pending, false),
      ),
    );
}

function isOneOf(ranks: Ranks, role: OrgMembershipRole): boolean {
  return ranks.includes(role);
}

function lastSession(user_id: string) {
  return sql`(SELECT max(${sessions.created_at}) FROM ${sessions}
    WHERE ${sessions.user_id} = ${user_id} AND ${sessions.org_id} = ${memberships.org_id})`;
}
