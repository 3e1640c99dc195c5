import { isLate, type SchedulerReport } from "#domain/alarms/scheduler-health";
import { toIso } from "#domain/time/to-iso";
import { WHOLE_CITY } from "#durable/reporting/alarms";
import { closeIncident, notifyOnce, openIncident } from "#durable/reporting/incidents";
import { bodyWith } from "#durable/state/body";
import { transact, type EngineContext } from "#durable/state/context";
import { SCHEMA_VERSION } from "#durable/state/migrate";

const INCIDENT = "scheduler:late";
/** Of the oldest records, the first of these that says when it was written. */
const OLDEST = 50;

/** How the scheduler is, read from its tables; it changes nothing. */
export function schedulerReport(context: EngineContext): SchedulerReport {
  const { sql, tally, armed_at, agents } = context;
  const now = context.now();
  sql.kept?.write();
  const overdue = sql
    .exec<{ n: number; oldest: number | null }>(
      "SELECT COUNT(*) AS n, MIN(due_at) AS oldest FROM timers WHERE lease IS NULL AND kind <> 'recheck' AND due_at <= ?",
      now,
    )
    .one();
  // Whoever held these died.
  const left = sql
    .exec<{ n: number; oldest: number | null }>(
      "SELECT COUNT(*) AS n, MIN(lease) AS oldest FROM timers WHERE lease IS NOT NULL AND lease <= ?",
      now,
    )
    .one();
  const oldest = Math.min(overdue.oldest ?? Infinity, left.oldest ?? Infinity);
  const outbox = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM outbox WHERE set_aside IS NULL").one();
  const set_aside = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM outbox WHERE set_aside IS NOT NULL").one();
  return {
    as_of: toIso(now),
    overdue: { count: overdue.n + left.n, oldest_age_sec: oldest === Infinity ? null : ageOf(oldest, now) },
    last_tick_age_sec: tally.ticked_at === 0 ? null : ageOf(tally.ticked_at, now),
    outbox: { count: outbox.n, oldest_age_sec: outboxAge(context, now) },
    schema_version: SCHEMA_VERSION,
    set_aside: set_aside.n,
    agents_connected: agents.open().length,
    next_alarm_at: armed_at === null ? null : toIso(armed_at),
  };
}

/**
 * People are told once that the scheduler was found late, until it is found on time: it switches lights late, or not at
 * all, and nothing else says so. Never throws: an engine that is broken is still to be rung.
 */
export function noteLateness(context: EngineContext, report: SchedulerReport): void {
  try {
    transact(context, () => (isLate(report) ? alarm(context, report) : void closeIncident(context, INCIDENT)));
  } catch (error) {
    context.log({ level: "error", event: "scheduler.lateness_failed", reason: String(error) });
  }
}

function alarm(context: EngineContext, { overdue: { count, oldest_age_sec } }: SchedulerReport): void {
  context.log({ level: "error", event: "scheduler.late", overdue: count, oldest_age_sec });
  openIncident(context, INCIDENT);
  const minutes = Math.round((oldest_age_sec ?? 0) / 60);
  const why = `what was due waited for ${minutes} min; the sweep has woken the scheduler`;
  const message = `The scheduler is ${minutes} min late: lights are switched late. The sweep has woken it.`;
  notifyOnce(context, INCIDENT, "scheduler_late", message, { what: "Late", why, about: WHOLE_CITY });
}

/** What says when a record was written: a number in order, which follows the clock, or an instant (ISO 8601). */
type Written = { seq?: number; ts?: string; created_at?: string };

/** By the first record that says when it was written. */
function outboxAge({ sql }: EngineContext, now: number): number | null {
  const rows = sql
    .exec<{ body: string }>("SELECT id, kind, body FROM outbox WHERE set_aside IS NULL ORDER BY id LIMIT ? + 0", OLDEST)
    .toArray();
  for (const { body } of rows) {
    const { seq, ts, created_at } = bodyWith<Written>(body, []) ?? {};
    const at = typeof seq === "number" ? seq : Date.parse(ts ?? created_at ?? "");
    if (Number.isFinite(at)) return ageOf(at, now);
  }
  return null;
}

function ageOf(at: number, now: number): number {
  return Math.max(0, Math.round((now - at) / 1000));
}
