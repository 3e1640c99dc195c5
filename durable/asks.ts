import { sentOn } from "#domain/desired-state";
import type { SwitchAction } from "#domain/words";
import { beginCall, type Call } from "./calls";
import { queueOf } from "./command";
import { hubAddress } from "./checks";
import { addressOf, plan } from "./plan";
import type { Address, Answer } from "./providers/provider";
import { reportState } from "./reading";
import { namesOf, recordCall, tellState } from "./record";
import { nextSeq, type Room } from "./room";
import { saveStanding, standing } from "./standings";

/** What a person asks of the hardware in the connectivity test; it waits in memory, since the person does too. */
export type Ask = {
  seq: number;
  kind: "ask_switch" | "ask_read" | "ask_ping";
  device_id: string | null;
  address: Address;
  action: SwitchAction | null;
};

const asks = new WeakMap<Room, Ask[]>();

/** Puts the ask in its hub's queue and answers when the hardware has; null where the plan lacks the device or hub. */
export function ask(
  room: Room,
  kind: Ask["kind"],
  of: { device_id?: string; hub_id?: string },
  action: SwitchAction | null,
): Ask | null {
  const device = of.device_id ? plan.device(room.sql, of.device_id) : null;
  const address = device ? addressOf(room.sql, device) : of.hub_id ? hubAddress(room, of.hub_id) : null;
  if (!address) return null;
  const made: Ask = { seq: nextSeq(room), kind, device_id: device?.id ?? null, address, action };
  asks.set(room, [...(asks.get(room) ?? []), made]);
  return made;
}

/** The first ask whose hub is free. */
export function nextAsk(room: Room, busyHubs: Set<string>): Call | null {
  const waiting = asks.get(room) ?? [];
  const next = waiting.find((a) => !busyHubs.has(queueOf(a.address)));
  if (!next) return null;
  withdraw(room, next.seq);
  if (next.kind === "ask_switch" && next.device_id) {
    const of = standing(room.sql, next.device_id);
    const now = room.now();
    saveStanding(room.sql, { ...of, ...(next.action === "on" ? sentOn(of, now) : {}), sent_at: now });
  }
  const { kind, device_id, seq, action, address } = next;
  const how = { priority: action === "off" ? "off" : "person", via: null, cached_since: null } as const;
  return beginCall(room, { kind, device_id, target: null, seq, hub: queueOf(address), action, address, how });
}

/** Forgets an ask that nobody waits for any more; one that is under way goes on. */
export function withdraw(room: Room, seq: number): void {
  asks.set(
    room,
    (asks.get(room) ?? []).filter((a) => a.seq !== seq),
  );
}

export function settleAsk(room: Room, call: Call, answer: Answer): void {
  if (call.device_id !== null && call.kind === "ask_switch") {
    const names = namesOf(room, call.device_id, null);
    recordCall(room, `call:${call.seq}:${call.id}`, { device_id: call.device_id, names, action: "test" }, answer);
    if (answer.ok && call.action) {
      const of = standing(room.sql, call.device_id);
      tellState(room, of, call.action, { always: true });
      saveStanding(room.sql, of);
    }
  }
  if (call.device_id !== null && call.kind === "ask_read" && answer.ok) {
    reportState(room, call.device_id, answer.state, { always: true });
  }
  room.waiting.get(call.seq)?.(answer);
}
