import type { AgentLogEntry } from "#domain/agent/frames";
import type { PlannedLamp } from "#domain/agent/standing-plan";
import { startPendingOff } from "#durable/commands/command";
import { pendingOffs } from "#durable/commands/command-table";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { namesOf } from "#durable/reporting/events";
import { readable } from "#durable/state/body";
import type { EngineContext } from "#durable/state/context";
import { memoryOf, saveMemory } from "#durable/state/device-memory";
import { addressBehind, addressOf, isSameLamp, plan } from "#durable/state/plan";
import { agentOf, lampToldOf } from "./on-states";

type Lit = { lamp: PlannedLamp; at: number };

/**
 * By a plan that nobody could correct an agent may have lit a lamp whose light was deleted meanwhile, or got another one, or
 * is no more behind that agent. The agent's next plan has that lamp no more, so its OFF is owed: by the light that has it by
 * now, else for itself. Must run inside a transaction.
 */
export function putOutLeftLamps(context: EngineContext, agent_id: string, entries: AgentLogEntry[]): void {
  for (const lit of leftLit(context, agent_id, entries)) {
    const lights = lightsWith(context, lit.lamp);
    for (const id of lights) takeForOurs(context, id, lit.at);
    if (lights.length === 0) owe(context, lit.lamp);
  }
}

/** The lamps that the agent has switched on, and not off again, and that are not its lights' any more. */
function leftLit(context: EngineContext, agent_id: string, entries: AgentLogEntry[]): Lit[] {
  const lit = new Map<string, Lit>();
  for (const { device, kind, action, state, ok, attempts, rev, at } of entries) {
    const lamp = lampToldOf(context, agent_id, device, rev);
    if (!lamp || !isLeft(context, agent_id, device, lamp)) continue;
    if (state === "off") lit.delete(lamp.address.lamp);
    else if (kind === "edge" && action === "on" && (ok || attempts > 0)) lit.set(lamp.address.lamp, { lamp, at });
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

function lightsWith(context: EngineContext, lamp: PlannedLamp): string[] {
  return plan.deviceIdsOfLamps(context.sql, [lamp.address.lamp]).filter((id) => has(context, id, lamp) === true);
}

/** The light's own command sees to what burns, unless it was read dark since. */
function takeForOurs(context: EngineContext, device_id: string, at: number): void {
  const memory = memoryOf(context.sql, device_id);
  if (memory.lit_since === null && (memory.reported_at ?? 0) >= at) return;
  saveMemory(context.sql, { ...memory, lit_since: memory.lit_since ?? at, lit_by: "us" });
  reconcileDevice(context, device_id, "address");
}

function owe(context: EngineContext, { device, hub, address: lamp }: PlannedLamp): void {
  const address = addressBehind(context.sql, lamp, hub);
  const isOwed = pendingOffs(context.sql).some((command) => isSameLamp(command.address, lamp));
  if (address === null || isOwed) return;
  startPendingOff(
    context,
    device,
    address,
    namesOf(context, device, null),
    "Off: its agent lit it alone, by an older plan",
  );
}
