import { offAfterMin, plannedUntil } from "#domain/agent/wanted";
import { commandFor, startCommand, type Command } from "#durable/commands/command";
import { sidesOf } from "#durable/providers/hybrid";
import type { Address } from "#durable/providers/provider";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import type { EngineContext } from "#durable/state/context";
import { knownState, memoryOf } from "#durable/state/device-memory";
import { addressOf, plan } from "#durable/state/plan";
import { agentPlan } from "#durable/state/standing-plans";
import { putTimer } from "#durable/state/timers";

/** So long before a lamp's own timer would put it out, we look whether it is to burn on. */
const RENEWED_BEFORE_MIN = 3;

/**
 * After how many minutes the lamp's own timer is to put it out, should nobody reach it any more; and asks to be woken
 * before. Null where it has none: a person's ON, whose end nobody has planned, and a lamp that the cloud reaches, too, as
 * a timer that one way has set would cut off what the other goes on with. Must run inside a transaction.
 */
export function setOffTimer(
  context: EngineContext,
  { target, device_id, action, source, address }: Command,
): number | null {
  const agent_id = onlyAgent(address);
  if (agent_id === null || target.kind !== "device" || action !== "on" || source === "manual") return null;
  const now = context.now();
  const { sent } = agentPlan(context.sql, agent_id);
  const lamp = sent?.lamps.find(({ device }) => device === device_id);
  const minutes = sent && lamp ? offAfterMin(plannedUntil(lamp, sent.expires, now), lamp.max_on_ms, now) : null;
  if (minutes !== null) putTimer(context.sql, "off_timer", device_id, now + (minutes - RENEWED_BEFORE_MIN) * 60_000);
  return minutes;
}

/** A lamp's own timer is about to put it out: where it is to burn on, its timer is set anew. */
export function renewOffTimer(context: EngineContext, device_id: string): void {
  const device = plan.device(context.sql, device_id);
  const agent_id = device && onlyAgent(addressOf(context.sql, device));
  // Without a line the agent sees to it, by its own plan.
  if (!agent_id || !context.agents.socketOf(agent_id)) return;
  const isWanted = reconcileDevice(context, device_id)?.state === "on";
  const isLit = knownState(memoryOf(context.sql, device_id)) === "on";
  if (!isWanted || !isLit || commandFor(context.sql, device_id)) return;
  startCommand(context, device_id, {
    action: "on",
    source: "scheduler",
    reason: "Stays on: its own timer is set anew",
  });
}

function onlyAgent({ mode, hub }: Address): string | null {
  return hub && sidesOf(mode, hub).every((side) => side === "local") ? hub.agent_id : null;
}
