import { and, eq, sql } from "drizzle-orm";
import type { AgentInput } from "#domain/hubs/agent-schema";
import type { Database } from "./database";
import { byName } from "./page";
import { agents as table, hubs, organizations } from "./schema";
import { nextVersion, NOW } from "./versions";

/** What is kept of a secret, and since when (ISO) it is the one. */
export type KeptSecret = Pick<typeof table.$inferInsert, "secret_hash" | "hint"> & { issued_at: string };

/** The columns of an agent that may leave the server: never the hash of its secret. */
const record = {
  id: table.id,
  version: table.version,
  created_at: table.created_at,
  updated_at: table.updated_at,
  name: table.name,
  hint: table.hint,
  issued_at: table.issued_at,
  revoked_at: table.revoked_at,
  status: table.status,
  connected_since: table.connected_since,
  last_seen: table.last_seen,
  agent_version: table.agent_version,
  plan_refused: table.plan_refused,
  hubs: sql`(select json_group_array(json_object('id', id, 'name', name)) from
    (select h.id, h.name from ${hubs} h where h.agent_id = agents.id order by h.name collate nocase, h.id))`.mapWith(
    (text: string): { id: string; name: string }[] => JSON.parse(text),
  ),
};

/** The on-site agents of one organization. */
export function agents(db: Database, org_id: string) {
  const only = (id: string) => and(eq(table.org_id, org_id), eq(table.id, id));
  const changed = (if_match?: number) => ({ updated_at: NOW, version: nextVersion(table.version, if_match) });

  return {
    list: () => db.select(record).from(table).where(eq(table.org_id, org_id)).orderBy(byName(table.name), table.id),

    choices: () =>
      db
        .select({ id: table.id, name: table.name })
        .from(table)
        .where(eq(table.org_id, org_id))
        .orderBy(byName(table.name), table.id),

    find: (id: string) => db.select(record).from(table).where(only(id)).get(),

    create: (id: string, values: AgentInput, secret: KeptSecret) =>
      db.insert(table).values({ ...values, ...secret, id, org_id }),

    save: (id: string, values: AgentInput, if_match?: number) =>
      db
        .update(table)
        .set({ ...values, ...changed(if_match) })
        .where(only(id)),

    /** The old secret opens nothing any more, and a revoked agent may connect again with the new one. */
    renew: (id: string, secret: KeptSecret) =>
      db
        .update(table)
        .set({ ...secret, revoked_at: null, generation: sql`${table.generation} + 1`, ...changed() })
        .where(only(id)),

    /** Since `at` (ISO) its secret opens nothing. */
    revoke: (id: string, at: string) =>
      db
        .update(table)
        .set({ revoked_at: at, generation: sql`${table.generation} + 1`, ...changed() })
        .where(only(id)),

    /** Its hubs stay, without an agent. */
    remove: (id: string) => db.delete(table).where(only(id)),
  };
}

/** What the door needs to know of an agent that names itself: in which organization it is comes from here alone. */
export function agentAtDoor(db: Database, id: string) {
  return db
    .select({
      org_id: table.org_id,
      secret_hash: table.secret_hash,
      generation: table.generation,
      revoked_at: table.revoked_at,
    })
    .from(table)
    .innerJoin(organizations, and(eq(organizations.id, table.org_id), eq(organizations.active, true)))
    .where(eq(table.id, id))
    .get();
}
