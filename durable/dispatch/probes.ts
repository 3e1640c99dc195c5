import type { SwitchAction } from "#domain/enums";
import { beginCall, type Call } from "#durable/commands/calls";
import { commandFor, queueOf } from "#durable/commands/command";
import { hubAddress } from "#durable/commands/polls";
import { addressOf, plan } from "#durable/state/plan";
import type { Address, ProviderResult } from "#durable/providers/provider";
import { didNothing, takeReading } from "#durable/reconcile/readings";
import { namesOf, recordCall, publishState } from "#durable/reporting/events";
import { nextSeq, type EngineContext, type Probe } from "#durable/state/context";
import { noteSent, saveMemory, memoryOf, takeBack } from "#durable/state/device-memory";

/** What a test is about: a device or a hub. */
export type Subject = { device_id?: string; hub_id?: string };

/** Puts the ask in its hub's queue and answers when the hardware has; null where the plan lacks the device or hub. */
export function enqueueProbe(
  context: EngineContext,
  kind: Probe["kind"],
  subject: Subject,
  action: SwitchAction | null,
): Probe | null {
  const address = subjectAddress(context, subject);
  if (!address) return null;
  const probe: Probe = { seq: nextSeq(context), kind, device_id: subject.device_id ?? null, address, action };
  context.probes.push(probe);
  return probe;
}

/** Where a device or a hub is reached; null where the plan lacks it. */
export function subjectAddress(context: EngineContext, { device_id, hub_id }: Subject): Address | null {
  if (hub_id) return hubAddress(context, hub_id);
  const device = device_id ? plan.device(context.sql, device_id) : null;
  return device && addressOf(context.sql, device);
}

/** The first ask whose hub is free. */
export function nextProbe(context: EngineContext, busyHubs: Set<string>): Call | null {
  const next = context.probes.find((a) => !busyHubs.has(queueOf(a.address)));
  if (!next) return null;
  withdrawProbe(context, next.seq);
  const { kind, device_id, seq, action, address } = next;
  const before = device_id && action ? noteSent(context.sql, device_id, action, context.now()) : undefined;
  const how = {
    priority: action === "off" ? "off" : "person",
    via: null,
    cached_since: null,
    not_after: null,
  } as const;
  return beginCall(context, {
    kind,
    device_id,
    target: null,
    seq,
    hub: queueOf(address),
    action,
    address,
    how,
    before,
  });
}

/** Forgets an ask that nobody waits for any more; one that is under way goes on. */
export function withdrawProbe(context: EngineContext, seq: number): void {
  context.probes = context.probes.filter((probe) => probe.seq !== seq);
}

export function settleProbe(context: EngineContext, call: Call, answer: ProviderResult): void {
  // A press meanwhile has made the standing its own.
  const isPressed = call.device_id !== null && commandFor(context.sql, call.device_id) !== null;
  if (didNothing(answer) && !isPressed) takeBack(context.sql, call);
  if (call.device_id !== null && call.kind === "probe_switch") {
    const names = namesOf(context, call.device_id, null);
    recordCall(context, `call:${call.seq}:${call.id}`, { device_id: call.device_id, names, action: "test" }, answer);
    if (answer.ok && call.action) {
      const memory = memoryOf(context.sql, call.device_id);
      publishState(context, memory, call.action, { always: true });
      saveMemory(context.sql, memory);
    }
  }
  if (call.device_id !== null && call.kind === "probe_read" && answer.ok) {
    takeReading(context, call.device_id, answer.state, { always: true });
  }
  context.waiting.get(call.seq)?.(answer);
}
