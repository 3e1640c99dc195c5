import { PLAN_SCHEMA, type PlannedLamp, type StandingPlan } from "#domain/agent/standing-plan";
import { PLAN_LASTS_MS } from "#domain/agent/take-plan";
import { expansion } from "#durable/reconcile/expansion";
import { lampOnPlan, saidOf } from "#durable/reconcile/lamp-on-plan";
import { readableLight } from "#durable/state/body";
import type { EngineContext } from "#durable/state/context";
import { plan } from "#durable/state/plan";
import { agentPlan } from "#durable/state/standing-plans";

/**
 * What an agent is to do alone from now on, for two days: the forecast of each lamp whose hub it speaks to. Lamps that are
 * not reached through their hub are not in it.
 */
export function standingPlanFor(context: EngineContext, agent_id: string, rev: number): StandingPlan {
  const { sql } = context;
  const issued = context.now();
  const expires = issued + PLAN_LASTS_MS;
  const expand = expansion(issued, expires);
  const lamps = plan
    .hubIdsOfAgent(sql, agent_id)
    .flatMap((hub_id) => plan.deviceIdsOfHub(sql, hub_id))
    .toSorted()
    .flatMap((id) => {
      const planned = readableLight(context, id, () => {
        const device = plan.device(sql, id);
        return { lamp: device && lampOnPlan(context, device, { issued, expires, expand }) };
      });
      return (planned ? planned.lamp : lastSent(context, agent_id, id)) ?? [];
    });
  return { schema: PLAN_SCHEMA, agent: agent_id, rev, issued, expires, lamps };
}

/** What is known of a lamp that cannot be planned now: what its agent was sent before. */
function lastSent({ sql }: EngineContext, agent_id: string, device_id: string): PlannedLamp | null {
  return agentPlan(sql, agent_id).sent?.lamps.find(({ device }) => device === device_id) ?? null;
}

/**
 * Whether two plans say the same from now (epoch ms) until the older one ends. What is lit at present does not matter: the
 * agent sees that for itself.
 */
export function isSamePlan(older: StandingPlan, newer: StandingPlan, now: number): boolean {
  const said = ({ lamps }: StandingPlan) => JSON.stringify(lamps.map((lamp) => saidOf(lamp, now, older.expires)));
  return said(older) === said(newer);
}
