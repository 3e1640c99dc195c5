import { partsOf } from "#domain/agent/plan-parts";
import type { ToAgent } from "#domain/agent/frames";
import type { PlannedLamp, StandingPlan } from "#domain/agent/standing-plan";
import { planKey, type PlanKey } from "#durable/agents/plan-key";
import { AGENT, LAMP, NOW } from "./a-site";

export const MIN = 60_000;

export function aPlanKey(org_id = "city"): Promise<PlanKey> {
  return planKey(btoa("a master key that only tests know!"), org_id);
}

/** The lamp on from five to ten minutes after the test begins, unless given otherwise. */
export function aPlan(given: Partial<StandingPlan> = {}, lamp: Partial<PlannedLamp> = {}): StandingPlan {
  const address = {
    mode: "local" as const,
    lamp: LAMP,
    cloud_device_id: null,
    local_ref: LAMP,
    model: null,
    on_payload: null,
    off_payload: null,
  };
  const on: [number, number][] = [[NOW + 5 * MIN, NOW + 10 * MIN]];
  const lamps = [
    { device: "d1", hub: "h1", address, on, dark: [], max_on_ms: null, lit_by_us: false, has_off_timer: true, ...lamp },
  ];
  return { schema: 1, agent: AGENT, rev: 3, issued: NOW, expires: NOW + 48 * 60 * MIN, lamps, ...given };
}

/** The frames with which the city sends a plan. */
export async function framesOf(plan: StandingPlan, key: PlanKey): Promise<ToAgent[]> {
  const body = JSON.stringify(plan);
  return partsOf({ rev: plan.rev, body, sig: await key.sign(body) });
}
