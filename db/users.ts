import { and, count, eq, inArray, ne, sql } from "drizzle-orm";
import type { OrgMembershipRole } from "#domain/enums";
import type { Database } from "./database";
import { org_memberships as memberships, organizations, sessions, users as table } from "./schema";
import { nextVersion } from "./versions";

/** The people of one organization; `version` is the membership's, since role and activity belong to it (decision 7). */
export function users(db: Database, org_id: string) {
  const only = (id: string) => and(eq(memberships.org_id, org_id), eq(memberships.user_id, id));
  const record = {
    id: table.id,
    email: table.email,
    role: memberships.role,
    active: memberships.active,
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

    /** Adds a membership only: the person exists already. */
    join: (user_id: string, role: OrgMembershipRole) => db.insert(memberships).values({ org_id, user_id, role }),

    /**
     * Changes the membership. A change that takes the last admin away fails on the role's NOT NULL, whoever else is
     * changing another admin at the same moment.
     */
    save: (id: string, values: { role: OrgMembershipRole; active: boolean }, if_match?: number) => {
      const stays = values.active && isAdmin(values.role);
      const others = db
        .select({ n: count() })
        .from(memberships)
        .where(
          and(
            eq(memberships.org_id, org_id),
            ne(memberships.user_id, id),
            eq(memberships.active, true),
            inArray(memberships.role, [...ADMINS]),
          ),
        );
      const role = stays ? values.role : sql`CASE WHEN (${others}) > 0 OR NOT ${wasAdmin} THEN ${values.role} END`;
      return db
        .update(memberships)
        .set({ active: values.active, role, version: nextVersion(memberships.version, if_match) })
        .where(only(id));
    },
  };
}

/** Everyone, whatever their organization: signing in and inviting look a person up by e-mail (decisions 5 and 7). */
export function people(db: Database) {
  return {
    findByEmail: (email: string) => db.select().from(table).where(eq(table.email, email)).get(),

    find: (id: string) => db.select().from(table).where(eq(table.id, id)).get(),

    create: (person: { id: string; email: string; password_hash: string }) => db.insert(table).values(person),

    setPassword: (id: string, password_hash: string) => db.update(table).set({ password_hash }).where(eq(table.id, id)),

    /** Fails on the password's NOT NULL for somebody who has a membership elsewhere, even one made at this moment. */
    resetPassword: (id: string, org_id: string, password_hash: string) =>
      db
        .update(table)
        .set({ password_hash: sql`CASE WHEN NOT EXISTS ${elsewhere(db, id, org_id)} THEN ${password_hash} END` })
        .where(eq(table.id, id)),

    /** The organizations a person works in, the one of their latest session first. */
    homes: (user_id: string) =>
      db
        .select({ org_id: memberships.org_id, role: memberships.role })
        .from(memberships)
        .innerJoin(organizations, eq(organizations.id, memberships.org_id))
        .where(and(eq(memberships.user_id, user_id), eq(memberships.active, true), eq(organizations.active, true)))
        .orderBy(sql`${lastSession(user_id)} DESC`, memberships.created_at, organizations.name),
  };
}

const ADMINS = ["org_admin", "admin"] as const satisfies readonly OrgMembershipRole[];
const wasAdmin = sql`(${memberships.active} AND ${inArray(memberships.role, [...ADMINS])})`;

function elsewhere(db: Database, user_id: string, org_id: string) {
  return db
    .select({ one: sql`1` })
    .from(memberships)
    .where(and(eq(memberships.user_id, user_id), ne(memberships.org_id, org_id)));
}

function isAdmin(role: OrgMembershipRole): boolean {
  return ADMINS.some((admin) => admin === role);
}

function lastSession(user_id: string) {
  return sql`(SELECT max(${sessions.created_at}) FROM ${sessions}
    WHERE ${sessions.user_id} = ${user_id} AND ${sessions.org_id} = ${memberships.org_id})`;
}
