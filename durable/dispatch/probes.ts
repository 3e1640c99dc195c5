import { acceptedOff } from "#domain/resolve/cooling";
import type { SwitchAction } from "#domain/enums";
import { nextDark } from "#domain/guardrails/device-limits";
import { beginCall, namesOfCall, type Call } from "#durable/commands/calls";
import { queueOf } from "#durable/commands/command-table";
import { hubAddress } from "#durable/commands/polls";
import { tookTurn } from "#durable/commands/stagger";
import { endTroubleIfWell } from "#durable/monitoring/watchdog";
import { limitsOf } from "#durable/state/limits";
import { addressOf } from "#durable/state/addresses";
import { plan } from "#durable/state/plan";
import type { Address, ProviderResult } from "#durable/providers/provider";
import { didNothing, takeBackSend, takeReadingFrom } from "#durable/reconcile/readings";
import { noAnswer } from "#durable/providers/no-answer";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { refusedNow } from "#durable/reconcile/refused-now";
import { recordCall, publishState } from "#durable/reporting/events";
import { nextSeq } from "#durable/state/meta";
import type { EngineContext, Probe } from "#durable/state/context";
import { noteSent, saveMemory, memoryOf } from "#durable/state/device-memory";

/** What a test is about: a device or a hub. */
export type Subject = { device_id?: string; hub_id?: string };

/** Puts the probe in its hub's queue; null where the plan lacks the device or hub. */
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

/**
 * The first probe whose hub is free; it goes to where its light is by then. An ON that has become forbidden while it waited,
 * and whatever is for a light that is gone, is answered, and does not leave.
 */
export function nextProbe(context: EngineContext, busyHubs: Set<string>): Call | null {
  const next = context.probes.find((probe) => !busyHubs.has(queueOf(addressNow(context, probe) ?? probe.address)));
  if (!next) return null;
  withdrawProbe(context, next.seq);
  const { kind, device_id, seq, action } = next;
  const refuse = (why: string) => {
    context.waiting.get(seq)?.(noAnswer(next.address, "refused", why));
    return nextProbe(context, busyHubs);
  };
  const address = addressNow(context, next);
  if (address === null) return refuse("the device was deleted");
  const refused = device_id && action === "on" ? refusedNow(context, device_id) : null;
  if (refused !== null) return refuse(refused);
  const before = device_id && action ? noteSent(context.sql, device_id, action, context.now()) : undefined;
  if (device_id && action === "on") {
    // A person waits for it, so it waits for no turn; what follows it does.
    tookTurn(context, device_id);
    // A light that may be lit from now on has to be woken for by the next guardrail.
    reconcileDevice(context, device_id);
  }
  const how = {
    priority: action === "off" ? "off" : "person",
    via: null,
    cached_since: null,
    not_after: device_id && action === "on" ? darkensAt(context, device_id) : null,
    off_after_min: null,
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

/** Where a probe goes by now: its light may have another lamp or hub since it was asked for. Null where it is gone. */
function addressNow(context: EngineContext, { device_id, address }: Probe): Address | null {
  return device_id === null ? address : subjectAddress(context, { device_id });
}

function darkensAt({ sql, now }: EngineContext, device_id: string): number | null {
  const device = plan.device(sql, device_id);
  return device && nextDark(limitsOf(sql, device), now());
}

/** Forgets a probe that nobody waits for any more; one that is under way goes on. */
export function withdrawProbe(context: EngineContext, seq: number): void {
  context.probes = context.probes.filter((probe) => probe.seq !== seq);
}

/**
 * A probe is answered: its call is in the history, what it read or switched is believed, and who waits is told. Must run
 * inside a transaction.
 */
export function settleProbe(context: EngineContext, call: Call, answer: ProviderResult): void {
  if (didNothing(answer)) takeBackSend(context, call);
  if (call.device_id !== null && call.kind === "probe_switch") {
    const names = namesOfCall(context, call.device_id, call);
    recordCall(
      context,
      `probe:${call.device_id}:${call.seq}`,
      { device_id: call.device_id, names, action: "test" },
      answer,
    );
    // Of a light that was deleted meanwhile nothing is remembered.
    if (answer.ok && call.action && plan.device(context.sql, call.device_id)) {
      const memory = memoryOf(context.sql, call.device_id);
      publishState(context, memory, call.action, { always: true });
      // Also where its reading fails: a lamp lit again before it has cooled stays dark.
      const cooling = call.action === "off" ? acceptedOff(memory, context.now()) : {};
      saveMemory(context.sql, { ...memory, ...cooling });
    }
  }
  if (call.device_id !== null && call.kind === "probe_read") {
    const names = namesOfCall(context, call.device_id, call);
    const action = "status_check";
    recordCall(context, `probe:${call.device_id}:${call.seq}`, { device_id: call.device_id, names, action }, answer);
  }
  const isReading = call.kind === "probe_read" || call.kind === "probe_verify";
  if (call.device_id !== null && isReading && answer.ok) {
    takeReadingFrom(context, { ...call, device_id: call.device_id }, answer.state, { always: true });
    endTroubleIfWell(context, call.device_id);
    // With the reading, since whoever asked for it may be gone before it is looked at.
    reconcileDevice(context, call.device_id);
  }
  context.waiting.get(call.seq)?.(answer);
}
