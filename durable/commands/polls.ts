import { beginCall, type Call } from "./calls";
import { queueOf } from "./command";
import { addressOf, plan, settingsOf } from "#durable/state/plan";
import type { Address } from "#durable/providers/provider";
import { nextSeq, type Room } from "#durable/state/context";
import { standing } from "#durable/state/device-state";

type Check = { of: string; kind: "read" | "ping"; id: string; due_at: number };

/** Puts a reading of a device, or a ping of a hub, in the queue behind everything that switches. */
export function putCheck(room: Room, kind: Check["kind"], id: string): void {
  room.sql.exec(
    "INSERT INTO checks (of, kind, id, due_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    `${kind}:${id}`,
    kind,
    id,
    room.now(),
  );
}

/** The longest waiting check whose hub is free. What is no longer in the plan is dropped. */
export function nextCheck(room: Room, busyHubs: Set<string>): Call | null {
  for (const check of room.sql.exec<Check>("SELECT * FROM checks ORDER BY due_at, of").toArray()) {
    const address = check.kind === "read" ? deviceAddress(room, check.id) : hubAddress(room, check.id);
    if (address && busyHubs.has(queueOf(address))) continue;
    room.sql.exec("DELETE FROM checks WHERE of = ?", check.of);
    if (!address) continue;
    return beginCall(room, {
      kind: check.kind === "read" ? "check_read" : "check_ping",
      device_id: check.kind === "read" ? check.id : null,
      target: null,
      seq: nextSeq(room),
      hub: queueOf(address),
      action: null,
      address,
      // The cloud may answer from memory, if it heard of the lamp since we last switched it.
      how: { priority: "poll", via: null, cached_since: standing(room.sql, check.id).sent_at ?? 0 },
    });
  }
  return null;
}

function deviceAddress(room: Room, id: string): Address | null {
  const device = plan.device(room.sql, id);
  return device && addressOf(room.sql, device);
}

/** How a hub is reached for itself. */
export function hubAddress(room: Room, id: string): Address | null {
  const hub = plan.hub(room.sql, id);
  if (!hub) return null;
  const { PROVIDER_MODE } = settingsOf(room.sql);
  const none = { cloud_device_id: null, local_ref: null, model: null, on_payload: null, off_payload: null };
  return { mode: PROVIDER_MODE, hub, lamp: `hub ${hub.id}`, ...none };
}
