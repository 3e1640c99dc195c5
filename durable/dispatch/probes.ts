import type { SwitchAction } from "#domain/enums";
import { beginCall, type Call } from "#durable/commands/calls";
import { commandFor, queueOf } from "#durable/commands/command";
import { hubAddress } from "#durable/commands/polls";
import { addressOf, plan } from "#durable/state/plan";
import type { Address, Answer } from "#durable/providers/provider";
import { didNothing, reportState } from "#durable/reconcile/readings";
import { namesOf, recordCall, tellState } from "#durable/reporting/events";
import { nextSeq, type Room } from "#durable/state/context";
import { noteSent, saveStanding, standing, takeBack } from "#durable/state/device-state";

/** What a person asks of the hardware in the connectivity test; it waits in memory, since the person does too. */
export type Ask = {
  seq: number;
  kind: "ask_switch" | "ask_read" | "ask_ping";
  device_id: string | null;
  address: Address;
  action: SwitchAction | null;
};

/** What a test is about: a device or a hub. */
export type Subject = { device_id?: string; hub_id?: string };

const asks = new WeakMap<Room, Ask[]>();

/** Puts the ask in its hub's queue and answers when the hardware has; null where the plan lacks the device or hub. */
export function ask(room: Room, kind: Ask["kind"], of: Subject, action: SwitchAction | null): Ask | null {
  const address = subjectAddress(room, of);
  if (!address) return null;
  const made: Ask = { seq: nextSeq(room), kind, device_id: of.device_id ?? null, address, action };
  asks.set(room, [...(asks.get(room) ?? []), made]);
  return made;
}

/** Where a device or a hub is reached; null where the plan lacks it. */
export function subjectAddress(room: Room, { device_id, hub_id }: Subject): Address | null {
  if (hub_id) return hubAddress(room, hub_id);
  const device = device_id ? plan.device(room.sql, device_id) : null;
  return device && addressOf(room.sql, device);
}

/** The first ask whose hub is free. */
export function nextAsk(room: Room, busyHubs: Set<string>): Call | null {
  const waiting = asks.get(room) ?? [];
  const next = waiting.find((a) => !busyHubs.has(queueOf(a.address)));
  if (!next) return null;
  withdraw(room, next.seq);
  const { kind, device_id, seq, action, address } = next;
  const before = device_id && action ? noteSent(room.sql, device_id, action, room.now()) : undefined;
  const how = { priority: action === "off" ? "off" : "person", via: null, cached_since: null } as const;
  return beginCall(room, { kind, device_id, target: null, seq, hub: queueOf(address), action, address, how, before });
}

/** Forgets an ask that nobody waits for any more; one that is under way goes on. */
export function withdraw(room: Room, seq: number): void {
  asks.set(
    room,
    (asks.get(room) ?? []).filter((a) => a.seq !== seq),
  );
}

export function settleAsk(room: Room, call: Call, answer: Answer): void {
  // A press meanwhile has made the standing its own.
  const isPressed = call.device_id !== null && commandFor(room.sql, call.device_id) !== null;
  if (didNothing(answer) && !isPressed) takeBack(room.sql, call);
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
