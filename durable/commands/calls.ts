import type { SwitchAction } from "#domain/enums";
import type { Address, How } from "#durable/providers/provider";
import { namesOf, type Names } from "#durable/reporting/events";
import { bodyWith } from "#durable/state/body";
import { nextSeq } from "#durable/state/meta";
import type { EngineContext } from "#durable/state/context";
import type { Before } from "#durable/state/device-memory";
import { insertRows } from "#durable/state/insert-rows";
import type { Store } from "#durable/state/kept";
import { keptTable } from "#durable/state/kept-table";
import { putTimerIfNone } from "#durable/state/timers";
import type { Target } from "./command-table";

/** One call to the hardware. */
export type Call = {
  id: number;
  kind: "send" | "verify" | "probe_switch" | "probe_verify" | "probe_read" | "probe_ping" | "poll_read" | "poll_ping";
  /** Null for a ping. */
  device_id: string | null;
  /** The command that it belongs to; null for probes and polls. */
  target: Target | null;
  seq: number;
  hub: string;
  action: SwitchAction | null;
  address: Address;
  how: How;
  /** What was known of the lamp before this send; put back if the call never leaves. */
  before?: Before;
  /** The names of a device that was deleted while the call was under way, since the plan no longer has them. */
  names?: Names;
  timeout_ms: number;
  /** The call must not leave later than this. */
  not_after: number;
};

/** Where what asks the cloud for itself waits: a hub's lights do not wait for a cloud that may not answer. */
export const CLOUD_QUEUE = "cloud";

/** The browser gives up at 10 s, so a toggle answers within 9 s, and its call within less. */
const CALL_TIMEOUT_MS = 8_500;
/** A call that has not been reported by then is lost; what it did is unknown. */
const LEASE_MS = CALL_TIMEOUT_MS + 5_000;
const LEAVES_WITHIN_MS = 2_000;

/** A call before it is stored; storing it gives it its order among all calls. */
export type NewCall = Omit<Call, "id" | "timeout_ms" | "not_after" | "how"> & { how: Omit<How, "device_id" | "order"> };

/** As the table has it; `until` is when its lease runs out (epoch ms). */
type Stored = Omit<NewCall, "how"> & { how: How; until: number };

const calls = keptTable<Stored, number>({
  read: (sql, id) => {
    const [row] = sql.exec<{ until: number; body: string }>("SELECT until, body FROM calls WHERE id = ?", id).toArray();
    return row ? fromRow(row) : null;
  },
  write: insert,
  drop: (sql, id) => void sql.exec("DELETE FROM calls WHERE id = ?", id),
  dropMany: (sql, ids) => void sql.exec("DELETE FROM calls WHERE id IN (SELECT value FROM json_each(?))", ids),
  most: 10_000,
});

/** Null where nobody can read what it says: its hub stays busy until its lease is over. */
function fromRow({ until, body }: { until: number; body: string }): Stored | null {
  const said = bodyWith<Omit<Stored, "until">>(body, ["kind"]);
  return said && { ...said, until };
}

function insert(sql: SqlStorage, rows: { key: number; row: Stored }[]): void {
  insertRows(
    sql,
    "INSERT OR REPLACE INTO calls (id, device_id, hub, until, body) VALUES (?, ?, ?, ?, ?)",
    rows.map(({ key, row: { until, ...call } }) => [key, call.device_id, call.hub, until, JSON.stringify(call)]),
  );
}

/** Stores that a call is under way: until it is settled, nothing else goes to its device or hub. */
export function beginCall(context: EngineContext, { how, ...begun }: NewCall): Call {
  const now = context.now();
  const { device_id, action } = begun;
  // Each send has a number of its own, also the second of one command: on site the same one twice is stale.
  const call = { ...begun, how: { ...how, device_id, order: action === null ? 0 : nextSeq(context) } };
  const id = nextSeq(context);
  calls(context.sql).put(id, { ...call, until: now + LEASE_MS });
  return { ...call, id, timeout_ms: CALL_TIMEOUT_MS, not_after: now + LEAVES_WITHIN_MS };
}

/** Writes what has changed of the calls, before a statement asks which hubs are free. */
export function writeCalls(sql: Store): void {
  calls(sql).write?.();
}

/** Whether the call asks a hub for a sign of life. */
export function isPing({ kind }: Pick<Call, "kind">): boolean {
  return kind === "probe_ping" || kind === "poll_ping";
}

/**
 * Whether the call asks the cloud whether it is back. Its kind is a ping's, so that a release before can end one that is lost.
 */
export function asksCloud({ hub }: Pick<Call, "hub">): boolean {
  return hub === CLOUD_QUEUE;
}

/** Takes a call off the list; null where its lease had run out, and what it reports is too late to count. */
export function endCall(context: EngineContext, id: number): Call | null {
  const call = calls(context.sql).get(id);
  if (call === null) return null;
  calls(context.sql).drop(id);
  return { ...call, id, timeout_ms: CALL_TIMEOUT_MS, not_after: 0 };
}

/** Deletes a row that cannot be read as a call, if it is still there. `verifyAbandoned` sees to its command. */
export function dropUnreadCall({ sql }: EngineContext, id: number): void {
  sql.exec("DELETE FROM calls WHERE id = ?", id);
}

/**
 * Sets a timer for each call whose lease has run out, to settle it as lost: its process died, or its provider never
 * answered. `all`: every call, because a new process has taken over.
 */
export function timeLostCalls({ sql, now }: EngineContext, { all }: { all: boolean }): void {
  sql.kept?.write();
  const lost = sql
    .exec<{ id: number }>(
      "UPDATE calls SET until = ? WHERE until <= ? RETURNING id",
      now() + LEASE_MS,
      all ? Number.MAX_SAFE_INTEGER : now(),
    )
    .toArray();
  if (lost.length > 0) calls(sql).forget?.();
  for (const { id } of lost) putTimerIfNone(sql, "call", String(id), now());
}

/** A device is deleted: the answers that are still to come are told by its names. Must run inside a transaction. */
export function keepNamesOfCalls({ sql }: EngineContext, device_id: string, names: Names): void {
  for (const { id, device_id: of } of callsUnderWay(sql)) {
    const call = of === device_id ? calls(sql).get(id) : null;
    if (call) calls(sql).put(id, { ...call, names });
  }
}

/** The names by which a call of the device is told. */
export function namesOfCall(context: EngineContext, device_id: string, { names }: Pick<Call, "names">): Names {
  return names ?? namesOf(context, device_id, null);
}

/** The calls that are being made right now. */
export function callsUnderWay(sql: Store): { id: number; device_id: string | null; hub: string }[] {
  sql.kept?.write();
  return sql
    .exec<{ id: number; device_id: string | null; hub: string }>("SELECT id, device_id, hub FROM calls")
    .toArray();
}
