import { and, eq, isNull, lte, or } from "drizzle-orm";
import type { MessageChoice } from "#domain/messages/message-choice";
import type { Database } from "./database";
import { message_choices as table, org_memberships as memberships, users } from "./schema";
import { nextVersion, NOW } from "./versions";

type Choice = Omit<MessageChoice, "version" | "updated_at">;

const choice = {
  phone: table.phone,
  email: table.email,
  urgent_by: table.urgent_by,
  other_by: table.other_by,
  left_out: table.left_out,
  quiet_from: table.quiet_from,
  quiet_to: table.quiet_to,
  digest: table.digest,
  version: table.version,
  updated_at: table.updated_at,
};

/** How the people of one organization want to hear of alarms. */
export function messageChoices(db: Database, org_id: string) {
  const only = (user_id: string) => and(eq(table.org_id, org_id), eq(table.user_id, user_id));

  return {
    find: (user_id: string): Promise<MessageChoice | undefined> =>
      db.select(choice).from(table).where(only(user_id)).get(),

    /** Every active member, by e-mail address; without a choice where nothing was chosen. */
    everyone: () =>
      db
        .select({ user_id: users.id, account: users.email, role: memberships.role, choice })
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.user_id))
        .leftJoin(table, and(eq(table.org_id, memberships.org_id), eq(table.user_id, memberships.user_id)))
        .where(and(eq(memberships.org_id, org_id), eq(memberships.active, true), eq(memberships.pending, false)))
        .orderBy(users.email),

    create: (user_id: string, values: Choice) => db.insert(table).values({ ...values, org_id, user_id }),

    save: (user_id: string, values: Choice, if_match?: number) =>
      db
        .update(table)
        .set({ ...values, updated_at: NOW, version: nextVersion(table.version, if_match) })
        .where(only(user_id)),

    /** Notes that a test was asked for, at an instant (ISO); writes nothing where the last one was after `since`. */
    noteTest: (user_id: string, at: string, since: string) =>
      db
        .update(table)
        .set({ tested_at: at })
        .where(and(only(user_id), or(isNull(table.tested_at), lte(table.tested_at, since))))
        .returning({ user_id: table.user_id }),

    remove: (user_id: string) => db.delete(table).where(only(user_id)),
  };
}
