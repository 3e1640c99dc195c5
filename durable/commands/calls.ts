import type { SwitchAction } from "#domain/enums";
import type { Address, How } from "#durable/providers/provider";
import type { Room } from "#durable/state/context";
import type { Before } from "#durable/state/device-state";
import { dropTimer, putTimer } from "#durable/state/timers";

/** One call to the hardware, as a runner gets it. */
export type Call = {
  id: number;
  kind: "send" | "verify" | "ask_switch" | "ask_read" | "ask_ping" | "check_read" | "check_ping";
  /** Null for a ping. */
  device_id: string | null;
  target: string | null;
  seq: number;
  hub: string;
  action: SwitchAction | null;
  address: Address;
  how: How;
  /** What was known of the lamp before this send, for the case that it does not leave. */
  before?: Before;
  timeout_ms: number;
  /** The call must not leave later than this. */
  not_after: number;
};

/** Spec 9: the browser gives up at 10 s, so a toggle answers within 9 s. */
export const CALL_TIMEOUT_MS = 8_500;
/** A runner that has not reported by then is dead; what it did is unknown. */
const LEASE_MS = CALL_TIMEOUT_MS + 5_000;
const LEAVES_WITHIN_MS = 2_000;

/** Stores that a call is under way: until it is settled, nothing else goes to its device or hub. */
export function beginCall(room: Room, call: Omit<Call, "id" | "timeout_ms" | "not_after">): Call {
  const now = room.now();
  const { id } = room.sql
    .exec<{ id: number }>(
      "INSERT INTO calls (device_id, hub, until, body) VALUES (?, ?, ?, ?) RETURNING id",
      call.device_id,
      call.hub,
      now + LEASE_MS,
      JSON.stringify(call),
    )
    .one();
  putTimer(room.sql, `call:${id}`, now + LEASE_MS);
  return { ...call, id, timeout_ms: CALL_TIMEOUT_MS, not_after: now + LEAVES_WITHIN_MS };
}

/** Takes a call off the list; null where its lease had run out, and what it reports is too late to count. */
export function endCall(room: Room, id: number): Call | null {
  const [row] = room.sql.exec<{ body: string }>("DELETE FROM calls WHERE id = ? RETURNING body", id).toArray();
  dropTimer(room.sql, `call:${id}`);
  return row ? { ...JSON.parse(row.body), id, timeout_ms: CALL_TIMEOUT_MS, not_after: 0 } : null;
}

export function callsUnderWay(sql: SqlStorage): { id: number; device_id: string | null; hub: string }[] {
  return sql
    .exec<{ id: number; device_id: string | null; hub: string }>("SELECT id, device_id, hub FROM calls")
    .toArray();
}
