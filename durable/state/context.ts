import type { Database } from "#db/database";
import { TABLES } from "./schema";
import { earliestTimer } from "./timers";
import type { Sms } from "#durable/providers/twilio";
import type { ProviderResult, Providers } from "#durable/providers/provider";

const DAY_MS = 86_400_000;

/** What the engine room works with; the one argument of everything in durable (style 10). */
export type EngineContext = {
  storage: Pick<DurableObjectStorage, "transactionSync" | "setAlarm">;
  sql: SqlStorage;
  db: Database;
  providers: Providers;
  /** Epoch milliseconds; a virtual clock in tests. It stands still while a change is made (`transact`). */
  now: () => number;
  /** Calls back after `ms` of the same clock; answers how to call it off. */
  after: (ms: number, then: () => void) => () => void;
  log: (line: Record<string, unknown>) => void;
  /** Starts runners for what is ready; never waits for them. */
  startRunners: () => void;
  /** Writes the outbox to D1 soon; never waits. */
  flushSoon: () => void;
  /** Null where SMS is not configured. */
  sms: Sms | null;
  /** Promises of people who wait for a command or an ask to be answered, by seq. Lost with the process: they time out. */
  waiting: Map<number, (result: RequestResult) => void>;
  /** What the alarm is set to, as far as this incarnation knows. */
  armed_at: number | null;
};

/** What one who waits is told: the provider's answer, or what came instead of it. */
export type RequestResult = ProviderResult | { superseded: string };

/** Makes the tables; idempotent. */
export function migrate(sql: SqlStorage): void {
  sql.exec(TABLES);
}

/**
 * One atomic change: everything `change` writes and the alarm that serves the timers it left, or nothing. It is made at
 * one instant, however long it takes: a clock that went on would show a window as open, and a moment later as over.
 * transactionSync silently accepts an async callback, whose writes would escape it; a promise is a bug and throws.
 */
export function transact<T>(context: EngineContext, change: () => T): T {
  const { armed_at, now } = context;
  const instant = now();
  context.now = () => instant;
  try {
    return context.storage.transactionSync(() => {
      const result = change();
      if (result instanceof Promise) throw new TypeError("a transaction must not be async");
      arm(context);
      return result;
    });
  } catch (error) {
    context.armed_at = armed_at;
    throw error;
  } finally {
    context.now = now;
  }
}

/**
 * Sets the one alarm to the earliest timer, overdue or not, never before the next millisecond and at most a day ahead
 * (design 3). Nobody else calls setAlarm.
 */
function arm(context: EngineContext): void {
  const earliest = earliestTimer(context.sql);
  if (earliest === null) return;
  const now = context.now();
  const at = Math.min(Math.max(earliest, now + 1), now + DAY_MS);
  if (context.armed_at !== null && context.armed_at <= at && context.armed_at > now) return;
  context.armed_at = at;
  void context.storage.setAlarm(at);
}

/** A small fact about the object itself: its organization, the plan's version, the last seq. */
export function meta(sql: SqlStorage, key: string): string | null {
  const [row] = sql.exec<{ value: string }>("SELECT value FROM meta WHERE key = ?", key).toArray();
  return row?.value ?? null;
}

export function setMeta(sql: SqlStorage, key: string, value: string): void {
  sql.exec(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    key,
    value,
  );
}

/**
 * The next number in the order of what happened here. It follows the clock, so that it stays ahead of what D1 has
 * even where the object was lost and began anew.
 */
export function nextSeq(context: EngineContext): number {
  const seq = Math.max(Number(meta(context.sql, "seq") ?? 0) + 1, context.now());
  setMeta(context.sql, "seq", String(seq));
  return seq;
}

/** The organization this object serves; set by the first call it ever had. */
export function orgId(context: EngineContext): string {
  const org_id = meta(context.sql, "org_id");
  if (org_id === null) throw new Error("the object has no organization yet");
  return org_id;
}
