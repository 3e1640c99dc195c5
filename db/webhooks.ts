import { and, count, desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { LogQuery } from "#domain/lists/log-query";
import type { WebhookInput } from "#domain/messages/webhook-schema";
import type { DeliveryStatus } from "#domain/enums";
import type { Database } from "./database";
import { byName } from "./page";
import { inPiece } from "./log";
import { webhook_deliveries as deliveries, webhooks as table } from "./schema";
import { nextVersion, NOW } from "./versions";

/** What is kept of a secret, sealed, and since when (ISO) it is the one. */
export type KeptWebhookSecret = Pick<typeof table.$inferInsert, "secret" | "hint"> & { issued_at: string };

/** So many old secrets sign at most; beyond that they begin anew with the last one. */
const MOST_OLD_SECRETS = 5;

/** What became of a message. */
export type DeliveryRecord = typeof deliveries.$inferInsert;

/** Writes what became of messages, in one batch; an older word of one changes nothing. */
export function noteDeliveries(db: Database, first: DeliveryRecord, rest: DeliveryRecord[]): Promise<unknown> {
  const note = (delivery: DeliveryRecord) => {
    const { status, attempts, http_status, ms, answer, last_at, next_at } = delivery;
    return db
      .insert(deliveries)
      .values(delivery)
      .onConflictDoUpdate({
        target: deliveries.id,
        set: { status, attempts, http_status, ms, answer, last_at, next_at },
        // A write that hung may arrive after a newer one.
        setWhere: sql`${deliveries.attempts} <= excluded.attempts`,
      });
  };
  return db.batch([note(first), ...rest.map(note)]);
}

/** A fact of the last message that has left for the webhook. */
const ofLast = <T>(column: "last_at" | "status", name: string) =>
  sql<T>`(select d.${sql.identifier(column)} from ${deliveries} d where d.webhook_id = webhooks.id
    and d.last_at is not null order by d.last_at desc limit 1)`.as(name);

/** The columns of a webhook that may leave the server: never its secrets. */
const record = {
  id: table.id,
  version: table.version,
  created_at: table.created_at,
  updated_at: table.updated_at,
  name: table.name,
  url: table.url,
  active: table.active,
  hint: table.hint,
  issued_at: table.issued_at,
  last_at: ofLast<string | null>("last_at", "last_sent_at"),
  last_status: ofLast<DeliveryStatus | null>("status", "last_status"),
  waiting: sql<number>`(select count(*) from ${deliveries} d where d.webhook_id = webhooks.id
    and d.status = 'pending' and d.attempts > 0)`.as("waiting"),
};

/** The webhooks of one organization, and the messages to them, which the engine writes. */
export function webhooks(db: Database, org_id: string) {
  const only = (id: string) => and(eq(table.org_id, org_id), eq(table.id, id));
  const changed = (if_match?: number) => ({ updated_at: NOW, version: nextVersion(table.version, if_match) });
  const { body: _, org_id: __, ...told } = getTableColumns(deliveries);

  return {
    list: () => db.select(record).from(table).where(eq(table.org_id, org_id)).orderBy(byName(table.name), table.id),

    find: (id: string) => db.select(record).from(table).where(only(id)).get(),

    count: () => db.select({ n: count() }).from(table).where(eq(table.org_id, org_id)).get(),

    /** Fails on the NOT NULL of `version` where there are `most` by then. */
    create: (id: string, values: WebhookInput, secret: KeptWebhookSecret, most: number) => {
      const version = sql`case when (select count(*) from ${table} where ${table.org_id} = ${org_id}) < ${most} then 1 end`;
      return db.insert(table).values({ ...values, ...secret, id, org_id, version });
    },

    save: (id: string, values: WebhookInput, if_match?: number) =>
      db
        .update(table)
        .set({ ...values, ...changed(if_match) })
        .where(only(id)),

    /**
     * The old secret signs beside the new one until `previous_until` (ISO), and so do older ones that still sign: if a secret
     * was lost before it was entered at the receiver, the receiver still has one of those.
     */
    renew: (id: string, secret: KeptWebhookSecret, previous_until: string) => {
      const { previous_secret: older } = table;
      const count = sql`length(${older}) - length(replace(${older}, ' ', '')) + 1`;
      const isKept = sql`${table.previous_until} > ${secret.issued_at} and ${count} < ${MOST_OLD_SECRETS}`;
      const previous_secret = sql`${table.secret} || case when ${isKept} then ' ' || ${older} else '' end`;
      return db
        .update(table)
        .set({ ...secret, previous_secret, previous_until, ...changed() })
        .where(only(id));
    },

    remove: (id: string) => db.delete(table).where(only(id)),

    /** The latest messages first. */
    deliveries: ({ limit, cursor: after }: LogQuery) =>
      db
        .select({ ...told, webhook_name: sql<string | null>`${table.name}`.as("webhook_name") })
        .from(deliveries)
        .leftJoin(table, eq(table.id, deliveries.webhook_id))
        .where(
          and(
            eq(deliveries.org_id, org_id),
            inPiece(deliveries.created_at, deliveries.id, { sort: "newest", after, limit }),
          ),
        )
        .orderBy(desc(deliveries.created_at), desc(deliveries.id))
        .limit(limit),

    findDelivery: (id: string) =>
      db
        .select()
        .from(deliveries)
        .where(and(eq(deliveries.org_id, org_id), eq(deliveries.id, id)))
        .get(),
  };
}
