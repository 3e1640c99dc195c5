import { lampSpans } from "#domain/agent/lamp-spans";
import { PLAN_SCHEMA, type PlannedLamp, type StandingPlan } from "#domain/agent/standing-plan";
import { PLAN_LASTS_MS } from "#domain/agent/take-plan";
import type { Planned } from "#domain/claims";
import { occurrences } from "#domain/recurrence";
import type { Occurrence } from "#domain/schedule";
import { sidesOf } from "#durable/providers/hybrid";
import { outlookOf, viewOf } from "#durable/reconcile/look";
import type { EngineContext } from "#durable/state/context";
import { memoryOf } from "#durable/state/device-memory";
import { addressOf, plan, settingsOf, type DeviceRow } from "#durable/state/plan";

type Expand = (schedule: Planned) => Occurrence[];

/**
 * What an agent is to do alone from now on, for two days: the forecast of each lamp whose hub it speaks to. Lamps that are
 * not reached through their hub are not in it.
 */
export function standingPlanFor(context: EngineContext, agent_id: string, rev: number): StandingPlan {
  const { sql } = context;
  const issued = context.now();
  const expires = issued + PLAN_LASTS_MS;
  const expand = remembered((schedule) => occurrences(schedule, issued, expires));
  const lamps = plan
    .hubIdsOfAgent(sql, agent_id)
    .flatMap((hub_id) => plan.deviceIdsOfHub(sql, hub_id))
    .toSorted()
    .flatMap((id) => plan.device(sql, id) ?? [])
    .flatMap((device) => lampOf(context, device, { issued, expires, expand }) ?? []);
  return { schema: PLAN_SCHEMA, agent: agent_id, rev, issued, expires, lamps };
}

function lampOf(
  { sql }: EngineContext,
  device: DeviceRow,
  { issued, expires, expand }: { issued: number; expires: number; expand: Expand },
): PlannedLamp | null {
  const { hub, ...address } = addressOf(sql, device);
  if (!hub || !sidesOf(settingsOf(sql).PROVIDER_MODE, hub).includes("local")) return null;
  const memory = memoryOf(sql, device.id);
  const spans = lampSpans(outlookOf(viewOf(sql, device), memory), issued, expires, expand);
  const lit_by_us = memory.lit_since !== null && memory.lit_by === "us";
  return { device: device.id, hub: hub.id, address, ...spans, lit_by_us };
}

/** Lights of a group or an area share its schedules. */
function remembered(expand: Expand): Expand {
  const known = new Map<string, Occurrence[]>();
  return (schedule) => {
    const found = known.get(schedule.id) ?? expand(schedule);
    known.set(schedule.id, found);
    return found;
  };
}

/**
 * Whether two plans say the same from now (epoch ms) until the older one ends. What is lit at present does not matter: the
 * agent sees that for itself.
 */
export function isSamePlan(older: StandingPlan, newer: StandingPlan, now: number): boolean {
  const said = ({ lamps }: StandingPlan) =>
    JSON.stringify(
      lamps.map(({ device, hub, address, on, dark, max_on_ms }) => [
        device,
        hub,
        address,
        within(on, now, older.expires),
        within(dark, now, older.expires),
        max_on_ms,
      ]),
    );
  return said(older) === said(newer);
}

function within(spans: PlannedLamp["on"], from: number, to: number): PlannedLamp["on"] {
  return spans
    .map(([start, end]): [number, number] => [Math.max(start, from), Math.min(end, to)])
    .filter(([start, end]) => start < end);
}
