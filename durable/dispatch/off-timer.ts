import type { AgentLogEntry } from "#domain/agent/frames";
import type { PlannedLamp, StandingPlan } from "#domain/agent/standing-plan";
import { offAfterMin, plannedUntil } from "#domain/agent/wanted";
import { startCommand } from "#durable/commands/command";
import { commandFor, type Command } from "#durable/commands/command-table";
import { isByHubAlone } from "#durable/providers/hybrid";
import type { Address } from "#durable/providers/provider";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import type { EngineContext } from "#durable/state/context";
import { knownState, memoryOf } from "#durable/state/device-memory";
import { addressOf } from "#durable/state/addresses";
import { plan } from "#durable/state/plan";
import { agentPlan, planByRev } from "#durable/state/standing-plans";
import { putTimer, timerDueAt } from "#durable/state/timers";

/** So long before a lamp's own timer would put it out, we look whether it is to burn on. */
const RENEWED_BEFORE_MIN = 3;
/** A timer that ends this little earlier than it should is renewed when it is due. */
const AS_GOOD_AS_MS = 60_000;
/** A command that is under way has come to its end, or to its next try, in this time. */
const LOOK_AGAIN_MS = 30_000;

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
  const { sent } = agentPlan(context.sql, agent_id);
  const lamp = sent?.lamps.find(({ device }) => device === device_id);
  const minutes = sent && lamp ? offAfter(lamp, sent, context.now()) : null;
  if (minutes !== null) putTimer(context.sql, "off_timer", device_id, renewedAt(context.now(), minutes));
  return minutes;
}

/**
 * An agent that was alone has lit the lamp at `at` (epoch ms) by its plan `rev`, with a timer to the end that this plan
 * had. Must run inside a transaction.
 */
export function noteTimerSetAlone(
  context: EngineContext,
  agent_id: string,
  { device, at, rev }: Pick<AgentLogEntry, "device" | "at" | "rev">,
): void {
  const by = planByRev(context.sql, agent_id, rev);
  const lamp = by?.lamps.find((one) => one.device === device);
  if (lamp?.has_off_timer === false) return;
  const minutes = by && lamp ? offAfter(lamp, by, at) : null;
  // The plan that set the timer is no longer known, so it may end at any time: look now.
  putTimer(context.sql, "off_timer", device, minutes === null ? context.now() : renewedAt(at, minutes));
  const { sent } = agentPlan(context.sql, agent_id);
  if (sent) hurryOffTimers(context, sent, device);
}

/**
 * An agent has a new plan: lamps (or only the one) whose own timers would put them out before its end get new timers at
 * once, while the agent can be reached. Must run inside a transaction.
 */
export function hurryOffTimers(context: EngineContext, sent: StandingPlan, only?: string): void {
  const now = context.now();
  for (const lamp of sent.lamps) {
    if (only !== undefined && lamp.device !== only) continue;
    const due_at = timerDueAt(context.sql, "off_timer", lamp.device);
    const minutes = due_at === null ? null : offAfter(lamp, sent, now);
    if (due_at !== null && minutes !== null && renewedAt(now, minutes) - due_at > AS_GOOD_AS_MS)
      putTimer(context.sql, "off_timer", lamp.device, now);
  }
}

function offAfter(lamp: PlannedLamp, { expires }: StandingPlan, at: number): number | null {
  if (!lamp.has_off_timer) return null;
  return offAfterMin(plannedUntil(lamp, expires, at), lamp.max_on_ms, at);
}

function renewedAt(at: number, minutes: number): number {
  return at + (minutes - RENEWED_BEFORE_MIN) * 60_000;
}

/** A lamp's own timer is about to put it out: where it is to burn on, its timer is set anew. */
export function renewOffTimer(context: EngineContext, device_id: string): void {
  const device = plan.device(context.sql, device_id);
  const agent_id = device && onlyAgent(addressOf(context.sql, device));
  if (!agent_id || reconcileDevice(context, device_id)?.state !== "on") return;
  // A person's ON that is under way sets none, and must not leave the old one to cut it off. Without a line the agent sees to
  // it, by its own plan; it may be back before the timer ends.
  if (commandFor(context.sql, device_id) || !context.agents.socketOf(agent_id)) {
    return putTimer(context.sql, "off_timer", device_id, context.now() + LOOK_AGAIN_MS);
  }
  if (knownState(memoryOf(context.sql, device_id)) !== "on") return;
  startCommand(context, device_id, {
    action: "on",
    source: "scheduler",
    reason: "Stays on: its own timer is set anew",
  });
}

function onlyAgent({ mode, hub }: Address): string | null {
  return hub && isByHubAlone(mode, hub) ? hub.agent_id : null;
}
