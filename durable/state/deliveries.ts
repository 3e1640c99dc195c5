import { getTableColumns, sql as q, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/database";
import {
  agents,
  alarms,
  connectivity_logs,
  departments,
  device_events,
  devices,
  hubs,
  notifications,
  scheduler_events,
  state_changes,
} from "#db/schema";

export type Kind =
  | "scheduler_event"
  | "device_event"
  | "connectivity_log"
  | "notification"
  | "device_state"
  | "device_problem"
  | "state_change"
  | "device_hold"
  | "alarm"
  | "alarms_open"
  | "hub_health"
  | "agent_health";

/**
 * One statement that writes all of `bodies`, JSON and of one kind: rows cost D1 little, statements much. The LIMIT keeps
 * the rows a table of their own: else json_each writes each out anew for every column that is read of it.
 */
export function deliveryOf(db: Database, org_id: string, kind: Kind, bodies: string[]): BatchItem<"sqlite"> {
  return DELIVERIES[kind](db, q`(select value from json_each(${`[${bodies.join(",")}]`}) limit -1) told`, org_id);
}

type Delivery = (db: Database, rows: SQL, org_id: string) => BatchItem<"sqlite">;

/** What was queued before its kind had a seq is older than any that has one. */
const SEQ = q`coalesce(value ->> 'seq', 1)`;

/** Of `org_id` the plus keeps the planner off its index: it would read every row of the organization for each that is written. */
const DELIVERIES: Record<Kind, Delivery> = {
  scheduler_event: (db, rows) => db.insert(scheduler_events).select(all(scheduler_events, rows)).onConflictDoNothing(),
  device_event: (db, rows) => db.insert(device_events).select(all(device_events, rows)).onConflictDoNothing(),
  connectivity_log: (db, rows) =>
    db.insert(connectivity_logs).select(all(connectivity_logs, rows)).onConflictDoNothing(),
  notification: (db, rows) =>
    db
      .insert(notifications)
      .select(all(notifications, rows))
      .onConflictDoUpdate({
        target: notifications.id,
        set: {
          status: q`excluded.status`,
          detail: q`excluded.detail`,
          attempts: q`excluded.attempts`,
          sent_at: q`excluded.sent_at`,
        },
        // A write that hung may arrive after a newer one.
        setWhere: q`${notifications.attempts} <= excluded.attempts`,
      }),
  device_state: (db, rows, org_id) =>
    db
      .update(devices)
      .set({
        current_state: q`value ->> 'current_state'`,
        last_state_at: q`coalesce(value ->> 'last_state_at', ${devices.last_state_at})`,
        state_seq: q`value ->> 'seq'`,
      })
      .from(rows)
      .where(
        q`${devices.id} = value ->> 'device_id' and +${devices.org_id} = ${org_id} and ${devices.state_seq} < (value ->> 'seq')`,
      ),
  device_problem: (db, rows, org_id) =>
    db
      .update(devices)
      .set({
        problem: q`value ->> 'problem'`,
        problem_since: q`value ->> 'problem_since'`,
        problem_seq: q`coalesce(value ->> 'seq', ${devices.problem_seq})`,
      })
      .from(rows)
      .where(
        q`${devices.id} = value ->> 'device_id' and +${devices.org_id} = ${org_id} and ${devices.problem_seq} < ${SEQ}`,
      ),
  state_change: (db, rows) =>
    db
      .insert(state_changes)
      .select(all(state_changes, rows))
      .onConflictDoUpdate({
        target: [state_changes.org_id, state_changes.device_id, state_changes.kind, state_changes.at],
        set: {
          state: q`excluded.state`,
          reason: q`excluded.reason`,
          sentence: q`excluded.sentence`,
          schedule_ids: q`excluded.schedule_ids`,
          booked_until: q`excluded.booked_until`,
        },
      }),
  device_hold: (db, rows, org_id) =>
    db
      .update(devices)
      .set({ hold: q`value ->> 'hold'`, hold_seq: q`coalesce(value ->> 'seq', ${devices.hold_seq})` })
      .from(rows)
      .where(
        q`${devices.id} = value ->> 'device_id' and +${devices.org_id} = ${org_id} and ${devices.hold_seq} < ${SEQ}`,
      ),
  alarm: (db, rows) =>
    db
      .insert(alarms)
      .select(
        all(alarms, rows, {
          dept_name: q`(select d.name from ${departments} d where d.id = value ->> 'dept_id')`,
        }),
      )
      .onConflictDoUpdate({
        target: alarms.id,
        set: {
          what: q`excluded.what`,
          why: q`excluded.why`,
          over_at: q`excluded.over_at`,
          seq: q`excluded.seq`,
        },
        // A write that hung may arrive after a newer one.
        setWhere: q`${alarms.seq} < excluded.seq`,
      }),
  alarms_open: (db, rows, org_id) =>
    db
      .update(alarms)
      .set({ over_at: q`value ->> 'at'` })
      .from(rows)
      .where(
        q`${alarms.org_id} = ${org_id} and ${alarms.over_at} is null and ${alarms.opened_at} < (value ->> 'at')
          and ${alarms.id} not in (select i.value from json_each(told.value ->> 'ids') i)`,
      ),
  hub_health: (db, rows, org_id) =>
    db
      .update(hubs)
      .set({
        status: q`value ->> 'status'`,
        last_seen: q`coalesce(value ->> 'last_seen', ${hubs.last_seen})`,
        rtt_ms: q`value ->> 'rtt_ms'`,
        health_seq: q`coalesce(value ->> 'seq', ${hubs.health_seq})`,
      })
      .from(rows)
      .where(q`${hubs.id} = value ->> 'hub_id' and +${hubs.org_id} = ${org_id} and ${hubs.health_seq} < ${SEQ}`),
  agent_health: (db, rows, org_id) =>
    db
      .update(agents)
      .set({
        status: q`value ->> 'status'`,
        connected_since: q`value ->> 'connected_since'`,
        last_seen: q`coalesce(value ->> 'last_seen', ${agents.last_seen})`,
        agent_version: q`coalesce(value ->> 'agent_version', ${agents.agent_version})`,
        plan_refused: q`value ->> 'plan_refused'`,
        health_seq: q`coalesce(value ->> 'seq', ${agents.health_seq})`,
      })
      .from(rows)
      .where(
        q`${agents.id} = value ->> 'agent_id' and +${agents.org_id} = ${org_id} and ${agents.health_seq} < ${SEQ}`,
      ),
};

/** The kinds that this release can write. */
export const KINDS = Object.keys(DELIVERIES);

/** Every column of the table from each body, but for those that D1 knows better; what a body lacks is null. */
function all(table: SQLiteTable, rows: SQL, known: Record<string, SQL> = {}): SQL {
  const values = Object.values(getTableColumns(table)).map(({ name }) => known[name] ?? q.raw(`value ->> '${name}'`));
  // WHERE TRUE, or SQLite takes ON CONFLICT for a join's.
  return q`select ${q.join(values, q`, `)} from ${rows} where true`;
}
