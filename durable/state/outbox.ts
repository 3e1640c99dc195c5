import { sql as q } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { connectivity_logs, device_events, devices, hubs, notifications, scheduler_events } from "#db/schema";
import { and, eq, lt, lte } from "drizzle-orm";
import type { DeviceState, HubStatus } from "#domain/enums";
import { putTimer, putTimerNoLater, dropTimer } from "./timers";
import { D1_DEADLINE_MS, Overdue, withDeadline } from "./deadline";
import { runOneMore } from "./one-more";
import { orgId, transact, type EngineContext } from "./context";

/** What the object tells D1, by kind; rows carry their own deterministic ids. */
type Bodies = {
  scheduler_event: typeof scheduler_events.$inferInsert;
  device_event: typeof device_events.$inferInsert;
  connectivity_log: typeof connectivity_logs.$inferInsert;
  notification: typeof notifications.$inferInsert;
  device_state: { device_id: string; current_state: DeviceState; last_state_at: string | null; seq: number };
  device_problem: { device_id: string; problem: string | null; problem_since: string | null };
  hub_health: { hub_id: string; status: HubStatus; last_seen: string | null; rtt_ms: number | null };
};
type Kind = keyof Bodies;
type Row = { id: number; kind: Kind; body: string };

const BATCH = 50;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;

/**
 * Stores what D1 has to be told, in the transaction of the fact itself. A state (device_state, hub_health) replaces
 * an untold older one; an event with an id that was told before is told once.
 */
export function enqueue<K extends Kind>(context: EngineContext, kind: K, key: string, body: Bodies[K]): void {
  context.sql.exec(
    `INSERT INTO outbox (kind, key, body) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET body = excluded.body, set_aside = NULL`,
    kind,
    `${kind}:${key}`,
    JSON.stringify(body),
  );
  putTimerNoLater(context.sql, "outbox", "", context.now() + FIRST_RETRY_MS);
  context.flushSoon();
}

/**
 * Writes everything that is queued to D1, in batches. One delivery runs at a time, and all who ask meanwhile share one
 * more. Where a batch fails it is written row by row, and a row that D1 refuses is set aside with the reason; where D1
 * does not answer within its deadline, the timer asks again, later each time.
 */
export function flush(context: EngineContext): Promise<void> {
  return runOneMore(context.flushes, () => deliverAll(context));
}

async function deliverAll(context: EngineContext): Promise<void> {
  for (;;) {
    const rows = context.sql
      .exec<Row>("SELECT id, kind, body FROM outbox WHERE set_aside IS NULL ORDER BY id LIMIT ?", BATCH)
      .toArray();
    if (rows.length === 0) {
      transact(context, () => {
        const [left] = context.sql
          .exec<{ n: number }>("SELECT COUNT(*) AS n FROM outbox WHERE set_aside IS NULL")
          .toArray();
        if (left?.n === 0) dropTimer(context.sql, "outbox");
      });
      context.failed_flushes = 0;
      return;
    }
    if (!(await deliver(context, rows))) {
      context.failed_flushes += 1;
      const wait = Math.min(FIRST_RETRY_MS * 2 ** context.failed_flushes, LONGEST_RETRY_MS);
      transact(context, () => putTimer(context.sql, "outbox", "", context.now() + wait));
      return;
    }
  }
}

async function deliver(context: EngineContext, rows: Row[]): Promise<boolean> {
  try {
    const [first, ...rest] = rows.map((row) => statement(context, row));
    if (first) await withDeadline(context, D1_DEADLINE_MS, context.db.batch([first, ...rest]));
    transact(context, () => rows.forEach((row) => markDelivered(context, row)));
    return true;
  } catch (error) {
    if (rows.length === 1 || error instanceof Overdue) return setAside(context, rows, error);
  }
  for (const row of rows) if (!(await deliver(context, [row]))) return false;
  return true;
}

/** A constraint that D1 names is the row's fault; anything else is D1's, and the row is told again. */
function setAside(context: EngineContext, rows: Row[], error: unknown): boolean {
  const reason = error instanceof Error ? `${error.message} ${String(error.cause ?? "")}` : String(error);
  if (!/constraint/i.test(reason)) {
    context.log({ level: "warn", event: "outbox.unavailable", reason });
    return false;
  }
  context.log({ level: "error", event: "outbox.set_aside", kind: rows[0]?.kind, reason });
  transact(context, () =>
    rows.forEach((row) => context.sql.exec("UPDATE outbox SET set_aside = ? WHERE id = ?", reason, row.id)),
  );
  context.recordsRefused();
  return true;
}

/** Only what was told is removed: a newer state may have replaced the row meanwhile. */
function markDelivered(context: EngineContext, row: Row): void {
  context.sql.exec("DELETE FROM outbox WHERE id = ? AND body = ?", row.id, row.body);
}

function statement(context: EngineContext, row: Row): BatchItem<"sqlite"> {
  const { db } = context;
  const org_id = orgId(context);
  const body = JSON.parse(row.body);
  switch (row.kind) {
    case "scheduler_event":
      return db.insert(scheduler_events).values(body).onConflictDoNothing();
    case "device_event":
      return db.insert(device_events).values(body).onConflictDoNothing();
    case "connectivity_log":
      return db.insert(connectivity_logs).values(body).onConflictDoNothing();
    case "notification":
      return db
        .insert(notifications)
        .values(body)
        .onConflictDoUpdate({
          target: notifications.id,
          set: { status: body.status, detail: body.detail, attempts: body.attempts, sent_at: body.sent_at },
          // A write that hung may arrive after a newer one.
          setWhere: lte(notifications.attempts, body.attempts),
        });
    case "device_state":
      return db
        .update(devices)
        .set({
          current_state: body.current_state,
          last_state_at: q`coalesce(${body.last_state_at}, ${devices.last_state_at})`,
          state_seq: body.seq,
        })
        .where(and(eq(devices.org_id, org_id), eq(devices.id, body.device_id), lt(devices.state_seq, body.seq)));
    case "device_problem":
      return db
        .update(devices)
        .set({ problem: body.problem, problem_since: body.problem_since })
        .where(and(eq(devices.org_id, org_id), eq(devices.id, body.device_id)));
    case "hub_health":
      return db
        .update(hubs)
        .set({
          status: body.status,
          last_seen: q`coalesce(${body.last_seen}, ${hubs.last_seen})`,
          rtt_ms: body.rtt_ms,
        })
        .where(and(eq(hubs.org_id, org_id), eq(hubs.id, body.hub_id)));
  }
}
