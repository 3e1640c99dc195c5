import type { AgentLogEntry } from "#domain/agent/frames";
import type { PlannedLamp } from "#domain/agent/standing-plan";
import { startPendingOff } from "#durable/commands/command";
import { pendingOffs } from "#durable/commands/command-table";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { namesOf } from "#durable/reporting/events";
import { socketsLit } from "#durable/providers/sockets-lit";
import { readable } from "#durable/state/body";
import type { EngineContext } from "#durable/state/context";
import { memoryOf, saveMemory } from "#durable/state/device-memory";
import { isSameLamp, sharedSockets, withSockets } from "#durable/state/lamps";
import { addressBehind, addressOf } from "#durable/state/addresses";
import { plan } from "#durable/state/plan";
import { agentOf, lampToldOf } from "./on-states";

type Lit = { lamp: PlannedLamp; at: number };

/**
 * By a plan that nobody could correct an agent may have lit a lamp whose light was deleted meanwhile, or got another one, or
 * is no more behind that agent. The agent's next plan has that lamp no more, so its OFF is owed: by the light that has it by
 * now, else for itself. Must run inside a transaction.
 */
export function putOutLeftLamps(context: EngineContext, agent_id: string, entries: AgentLogEntry[]): void {
  for (const lit of leftLit(context, agent_id, entries)) {
    let left = socketsLit(lit.lamp.address);
    for (const { id, shared } of lightsWith(context, lit.lamp)) {
      takeForOurs(context, id, lit.at);
      left &= ~shared;
    }
    if (left !== 0) owe(context, lit.lamp, left);
  }
}

/** The lamps that the agent has switched on, and not off again, and that are not its lights' any more. */
function leftLit(context: EngineContext, agent_id: string, entries: AgentLogEntry[]): Lit[] {
  const lit = new Map<string, Lit>();
  for (const { device, kind, action, state, ok, attempts, rev, at } of entries) {
    const lamp = lampToldOf(context, agent_id, device, rev);
    if (!lamp || !isLeft(context, agent_id, device, lamp)) continue;
    const which = JSON.stringify(lamp.address);
    if (state === "off") lit.delete(which);
    else if (kind === "edge" && action === "on" && (ok || attempts > 0)) lit.set(which, { lamp, at });
  }
  return [...lit.values()];
}

function isLeft(context: EngineContext, agent_id: string, device_id: string, lamp: PlannedLamp): boolean {
  const isItsLamp = has(context, device_id, lamp);
  return isItsLamp === false || (isItsLamp === true && agentOf(context, device_id) !== agent_id);
}

/** Whether the light has the lamp by now; null where its row cannot be read. */
function has({ sql }: EngineContext, device_id: string, { address }: PlannedLamp): boolean | null {
  return readable(() => {
    const device = plan.device(sql, device_id);
    return device !== null && isSameLamp(address, addressOf(sql, device));
  });
}

/** The lights that have the lamp, or some of its sockets. */
function lightsWith({ sql }: EngineContext, { address }: PlannedLamp): { id: string; shared: number }[] {
  const sharedBy = (id: string) => {
    const device = plan.device(sql, id);
    return device === null ? 0 : sharedSockets(address, addressOf(sql, device));
  };
  return plan
    .deviceIdsOfLamps(sql, [address])
    .map((id) => ({ id, shared: readable(() => sharedBy(id)) ?? 0 }))
    .filter(({ shared }) => shared !== 0);
}

/** The light's own command sees to what burns, unless it was read dark since. */
function takeForOurs(context: EngineContext, device_id: string, at: number): void {
  const memory = memoryOf(context.sql, device_id);
  if (memory.lit_since === null && (memory.reported_at ?? 0) >= at) return;
  saveMemory(context.sql, { ...memory, lit_since: memory.lit_since ?? at, lit_by: "us" });
  reconcileDevice(context, device_id, "address");
}

function owe(context: EngineContext, { device, hub, address: lamp }: PlannedLamp, sockets: number): void {
  const whole = addressBehind(context.sql, lamp, hub);
  const address = whole && (sockets === socketsLit(lamp) ? whole : withSockets(whole, sockets));
  if (address === null || pendingOffs(context.sql).some((command) => isSameLamp(command.address, address))) return;
  startPendingOff(
    context,
    device,
    address,
    namesOf(context, device, null),
    "Off: its agent lit it alone, by an older plan",
  );
}
