import type { BatchItem } from "drizzle-orm/batch";
import type {
  alarms,
  connectivity_logs,
  device_events,
  notifications,
  scheduler_events,
  state_changes,
} from "#db/schema";
import { CHARACTERS_AT_ONCE } from "#db/parts";
import { causeOf } from "#domain/errors";
import type { Hold } from "#domain/resolve/hold";
import type { AgentStatus, DeviceState, HubStatus } from "#domain/enums";
import { bodyWith } from "./body";
import { putTimer, putTimerNoLater, dropTimer, timerDueAt } from "./timers";
import { deliveryOf, type Kind } from "./deliveries";
import { D1_DEADLINE_MS, withDeadline } from "./deadline";
import { insertRows } from "./insert-rows";
import { keptTable, READ_ONLY } from "./kept-table";
import { runOneMore } from "./one-more";
import { orgId } from "./meta";
import { breath, transact, type EngineContext } from "./context";

/** What the object tells D1, by kind; events carry their own deterministic ids. */
type Bodies = {
  scheduler_event: typeof scheduler_events.$inferInsert;
  device_event: typeof device_events.$inferInsert;
  connectivity_log: typeof connectivity_logs.$inferInsert;
  notification: typeof notifications.$inferInsert;
  device_state: { device_id: string; current_state: DeviceState; last_state_at: string | null; seq: number };
  device_problem: { device_id: string; problem: string | null; problem_since: string | null; seq: number };
  state_change: typeof state_changes.$inferInsert;
  device_hold: { device_id: string; hold: Hold | null; seq: number };
  alarm: typeof alarms.$inferInsert & { isNews: boolean };
  /** The alarms that are open; the others from before `at` (ISO) are over. */
  alarms_open: { ids: string[]; at: string };
  hub_health: {
    hub_id: string;
    status: HubStatus;
    last_seen: string | null;
    rtt_ms: number | null;
    seq: number;
    isNews?: boolean;
  };
  /** Instants are ISO 8601. `connected_since` is null while it is away; of the other two null keeps what D1 has. */
  agent_health: {
    agent_id: string;
    status: AgentStatus;
    connected_since: string | null;
    last_seen: string | null;
    agent_version: string | null;
    plan_refused: string | null;
    seq: number;
    isNews?: boolean;
  };
};
type Row = { id: number; kind: Kind; body: string };

type Posted = Omit<Row, "id">;

/** Written with what else the transaction has changed, and read in sets: none is kept beyond it. */
const posts = keptTable<Posted>({
  ...READ_ONLY,
  read: (sql, key) =>
    sql.exec<Posted>("SELECT kind, body FROM outbox WHERE key = ? AND set_aside IS NULL", key).toArray()[0] ?? null,
  write: post,
  most: 0,
});

/** With a new id each time, so that a delivery ends what it has told and nothing newer. */
function post(sql: SqlStorage, rows: { key: string; row: Posted }[]): void {
  insertRows(
    sql,
    "INSERT OR REPLACE INTO outbox (kind, key, body) VALUES (?, ?, ?)",
    rows.map(({ key, row: { kind, body } }) => [kind, key, body]),
  );
}

/** So many rows go to D1 at a time, if they are short. */
const MOST_ROWS = 1_000;
/** So many rows are told within a turn or two. */
const MUCH = 100;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;

/**
 * Stores what D1 has to be told, in the transaction of the fact itself. A state (device_state, hub_health) replaces
 * an untold older one, and is news where that one was; an event with an id that was told before is told once.
 */
export function enqueue<K extends Kind>(context: EngineContext, kind: K, key: string, body: Bodies[K]): void {
  const isNews = "isNews" in body && body.isNews === false && isUntoldNews(context, `${kind}:${key}`);
  posts(context.sql).put(`${kind}:${key}`, { kind, body: JSON.stringify(isNews ? { ...body, isNews } : body) });
  for (const { device_id, keys } of context.watched)
    if ("device_id" in body && body.device_id === device_id) keys.add(`${kind}:${key}`);
  putTimerNoLater(context.sql, "outbox", "", context.now() + FIRST_RETRY_MS);
  context.flushSoon();
}

/** Whether open screens have still to hear of what stands there: D1 may have been away since. */
function isUntoldNews({ sql }: EngineContext, key: string): boolean {
  const untold = posts(sql).get(key);
  return untold !== null && bodyWith<{ isNews?: boolean }>(untold.body, [])?.isNews !== false;
}

/**
 * Writes everything that is queued to D1, in sets. One delivery runs at a time, and all who ask meanwhile share one more.
 * Where D1 refuses a set, each half is tried by itself, down to the row, which is set aside with the reason; where D1 does
 * not answer, the timer asks again, later each time.
 */
export function flush(context: EngineContext): Promise<void> {
  return runOneMore(context.flushes, () => deliverAll(context));
}

/**
 * Writes these records alone, so that a person who toggled a light need not wait for a whole city's. A delivery under way
 * may carry the same rows: whatever is told twice stands there once.
 */
export async function flushPosted(context: EngineContext, keys: Set<string>): Promise<void> {
  const rows = context.sql
    .exec<Row>(
      "SELECT id, kind, body FROM outbox WHERE key IN (SELECT value FROM json_each(?)) AND set_aside IS NULL",
      JSON.stringify([...keys]),
    )
    .toArray()
    .toSorted((a, b) => a.id - b.id);
  if (rows.length > 0) await deliver(context, rows);
}

/** Whether a person who waits for all of it would wait for what is not theirs. */
export function hasMuchToTell({ sql }: EngineContext): boolean {
  const waiting = sql.exec("SELECT 1 FROM outbox WHERE set_aside IS NULL LIMIT ? + 0", MUCH).toArray();
  return waiting.length === MUCH;
}

async function deliverAll(context: EngineContext): Promise<void> {
  for (;;) {
    const { rows, isAll } = nextRows(context);
    if (rows.length > 0 && !(await deliver(context, rows))) {
      context.failed_flushes += 1;
      const wait = Math.min(FIRST_RETRY_MS * 2 ** context.failed_flushes, LONGEST_RETRY_MS);
      return transact(context, () => putTimer(context.sql, "outbox", "", context.now() + wait));
    }
    if (!isAll) {
      await breath(context); // a database beside us answers at once, and set would follow set
      continue;
    }
    context.failed_flushes = 0;
    if (timerDueAt(context.sql, "outbox") !== null) transact(context, () => endIfEmpty(context));
    if (rows.length === 0) return;
  }
}

/** What is told next, one row at least however long it is, and whether nothing else waits. */
function nextRows({ sql }: EngineContext): { rows: Row[]; isAll: boolean } {
  const waiting = sql
    .exec<Row>("SELECT id, kind, body FROM outbox WHERE set_aside IS NULL ORDER BY id LIMIT ? + 0", MOST_ROWS)
    .toArray();
  let characters = 0;
  const fitting = waiting.filter(({ body }) => (characters += body.length) <= CHARACTERS_AT_ONCE).length;
  const rows = waiting.slice(0, Math.max(1, fitting));
  return { rows, isAll: waiting.length < MOST_ROWS && rows.length === waiting.length };
}

/** What was posted while the last set was on its way is told next, and keeps its timer until then. */
function endIfEmpty({ sql }: EngineContext): void {
  sql.kept?.write();
  const left = sql.exec("SELECT 1 FROM outbox WHERE set_aside IS NULL LIMIT 1").toArray();
  if (left.length === 0) dropTimer(sql, "outbox");
}

async function deliver(context: EngineContext, rows: Row[]): Promise<boolean> {
  try {
    const [first, ...rest] = statementsFor(context, rows);
    if (first) await withDeadline(context, D1_DEADLINE_MS, context.db.batch([first, ...rest]));
    context.recordsDelivered(transact(context, () => markDelivered(context, rows)));
    return true;
  } catch (error) {
    const { error: reason } = causeOf(error);
    // A constraint that D1 names is a row's fault, as is a body that is no JSON; anything else is D1's, and all is told again.
    if (!/constraint|malformed JSON/i.test(reason)) {
      context.log({ level: "warn", event: "outbox.unavailable", reason });
      return false;
    }
    if (rows.length === 1) return setAside(context, rows, reason);
  }
  const half = Math.ceil(rows.length / 2);
  return (await deliver(context, rows.slice(0, half))) && deliver(context, rows.slice(half));
}

/** One statement for each kind, in the order in which the kinds were first posted. */
function statementsFor(context: EngineContext, rows: Row[]): BatchItem<"sqlite">[] {
  const byKind = new Map<Kind, string[]>();
  for (const { kind, body } of rows) {
    const bodies = byKind.get(kind);
    if (bodies) bodies.push(body);
    else byKind.set(kind, [body]);
  }
  return [...byKind].map(([kind, bodies]) => deliveryOf(context.db, orgId(context), kind, bodies));
}

function setAside(context: EngineContext, rows: Row[], reason: string): boolean {
  context.log({ level: "error", event: "outbox.set_aside", kind: rows[0]?.kind, reason });
  transact(context, () =>
    rows.forEach((row) => context.sql.exec("UPDATE outbox SET set_aside = ? WHERE id = ?", reason, row.id)),
  );
  context.recordsRefused();
  return true;
}

/**
 * Only what was told is removed: a newer state has another id. Answers what was still there: where an answer is late, a newer
 * state may have been told before it.
 */
function markDelivered(context: EngineContext, rows: Row[]): Row[] {
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const removed = context.sql
    .exec<{ id: number }>("DELETE FROM outbox WHERE id IN (SELECT value FROM json_each(?)) RETURNING id", ids)
    .toArray();
  if (removed.length === rows.length) return rows;
  const left = new Set(removed.map(({ id }) => id));
  return rows.filter(({ id }) => left.has(id));
}
