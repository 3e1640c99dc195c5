import { lampSpans } from "#domain/agent/lamp-spans";
import type { PlannedLamp } from "#domain/agent/standing-plan";
import { isByHubAlone, sidesOf } from "#durable/providers/hybrid";
import type { EngineContext } from "#durable/state/context";
import { memoryOf } from "#durable/state/device-memory";
import { addressOf } from "#durable/state/addresses";
import { settingsOf } from "#durable/state/plan";
import type { DeviceRow } from "#durable/state/plan-rows";
import { agentPlan } from "#durable/state/standing-plans";
import { outlookOf, viewOf } from "./evaluation";
import type { Expand } from "./expansion";

/** From when to when a plan says what a lamp is to do (epoch ms). `expand` as in `foresee`. */
type Span = { issued: number; expires: number; expand?: Expand };

/** What an agent is to do with a device's lamp alone; null for one that is not reached through its hub. */
export function lampOnPlan(
  { sql }: EngineContext,
  device: DeviceRow,
  { issued, expires, expand }: Span,
): PlannedLamp | null {
  const { hub, ...address } = addressOf(sql, device);
  const mode = settingsOf(sql).PROVIDER_MODE;
  if (!hub || !sidesOf(mode, hub).includes("local")) return null;
  const memory = memoryOf(sql, device.id);
  const spans = lampSpans(outlookOf(viewOf(sql, device), memory), issued, expires, expand);
  const lit_by_us = memory.lit_since !== null && memory.lit_by === "us";
  return { device: device.id, hub: hub.id, address, ...spans, lit_by_us, has_off_timer: isByHubAlone(mode, hub) };
}

/** What a plan says of a lamp from `from` up to `to` (epoch ms); equal for two that say the same. */
export function saidOf(lamp: PlannedLamp, from: number, to: number): string {
  const { device, hub, address, on, dark, max_on_ms, has_off_timer } = lamp;
  return JSON.stringify([device, hub, address, within(on, from, to), within(dark, from, to), max_on_ms, has_off_timer]);
}

function within(spans: PlannedLamp["on"], from: number, to: number): PlannedLamp["on"] {
  return spans
    .map(([start, end]): [number, number] => [Math.max(start, from), Math.min(end, to)])
    .filter(([start, end]) => start < end);
}

/**
 * Whether the agent was sent a plan that says of the device's lamp what is planned now, so that none has to be made anew
 * for the whole park whenever one of its lights is switched as foreseen.
 */
export function isOnPlan(context: EngineContext, device: DeviceRow, agent_id: string): boolean {
  const { sent } = agentPlan(context.sql, agent_id);
  const now = context.now();
  if (sent === null || now >= sent.expires) return false;
  const was = sent.lamps.find((lamp) => lamp.device === device.id);
  const is = lampOnPlan(context, device, { issued: now, expires: sent.expires });
  if (!was || !is) return !was && !is;
  return saidOf(was, now, sent.expires) === saidOf(is, now, sent.expires);
}
