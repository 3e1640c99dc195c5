import type { PlannedLamp, StandingPlan } from "#domain/agent/standing-plan";
import { plannedUntil } from "#domain/agent/wanted";
import type { SwitchAction } from "#domain/enums";
import type { ResolvedState } from "#domain/resolve/reason";
import { carriedBy } from "#durable/providers/agent-socket";
import { sidesOf } from "#durable/providers/hybrid";
import { linkOf } from "#durable/state/agent-links";
import type { EngineContext } from "#durable/state/context";
import { isSameLamp } from "#durable/state/lamps";
import { addressOf } from "#durable/state/addresses";
import { plan, settingsOf } from "#durable/state/plan";
import type { DeviceRow } from "#durable/state/plan-rows";
import { agentPlan } from "#durable/state/standing-plans";

/** After this a window that nobody told about has its record all the same. A plan lasts two days, and a line may be cut for longer. */
const LOG_AWAITED_MS = 7 * 86_400_000;

/** Why no command of ours goes on, for its record. */
export const LEFT_TO_AGENT = "left to the on-site agent, which does it by its own plan";

/** The plan by which an agent that cannot be reached keeps the device's lamp, with that lamp, and since when. */
type Entrusted = { plan: StandingPlan; lamp: PlannedLamp; since: number };

/**
 * Since when (epoch ms) the device is left to its agent, which is away and does what is wanted by its own plan; null where
 * it is not, or where there is another way to the lamp.
 */
export function entrustedSince(context: EngineContext, device: DeviceRow, wanted: ResolvedState | null): number | null {
  if (wanted === null || wanted === "none") return null;
  const entrusted = entrustedBy(context, device);
  if (!entrusted || !isItsLamp(context, device, entrusted.lamp)) return null;
  return isPlanned(entrusted, wanted, context.now()) ? entrusted.since : null;
}

/** Whether the device still has the lamp, and the hub, that its agent's plan has: the agent switches no other one. */
function isItsLamp({ sql }: EngineContext, device: DeviceRow, lamp: PlannedLamp): boolean {
  return lamp.hub === device.hub_id && isSameLamp(lamp.address, addressOf(sql, device));
}

function isPlanned({ plan, lamp }: Entrusted, wanted: SwitchAction, now: number): boolean {
  return now < plan.expires && (plannedUntil(lamp, plan.expires, now) !== null) === (wanted === "on");
}

/**
 * Until when (epoch ms) a window that ended at `end` waits for its record, since the agent that kept its plan has yet to
 * tell what it did: not at all where that does not concern the device.
 */
export function recordAwaitedUntil(
  context: EngineContext,
  device: DeviceRow,
  { start, end }: { start: number; end: number },
): number {
  const entrusted = entrustedBy(context, device);
  return entrusted && start < entrusted.plan.expires && end > entrusted.plan.issued ? end + LOG_AWAITED_MS : end;
}

function entrustedBy(context: EngineContext, device: DeviceRow): Entrusted | null {
  const { sql } = context;
  const agent_id = device.hub_id === null ? null : (plan.hub(sql, device.hub_id)?.agent_id ?? null);
  if (agent_id === null || !isAway(context, agent_id)) return null;
  const { taken } = agentPlan(sql, agent_id);
  const lamp = taken?.lamps.find((one) => one.device === device.id);
  if (!taken || !lamp) return null;
  const isOnlyWay = sidesOf(settingsOf(sql).PROVIDER_MODE, addressOf(sql, device).hub).every(
    (side) => side === "local",
  );
  if (!isOnlyWay) return null;
  return { plan: taken, lamp, since: linkOf(sql, agent_id)?.away_since ?? context.now() };
}

/** One that is back counts as away until what it did alone is taken in. */
function isAway({ agents }: EngineContext, agent_id: string): boolean {
  const socket = agents.socketOf(agent_id);
  return socket === null || carriedBy(socket)?.settled_at === null;
}
