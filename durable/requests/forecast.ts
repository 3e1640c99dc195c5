import { foresee, type Step } from "#domain/forecast/forecast";
import type { Forecast, ForecastRequest } from "#domain/forecast/forecast-request";
import { segmentsOf, type Segment } from "#domain/forecast/forecast-segments";
import { outlookOf, viewOf } from "#durable/reconcile/evaluation";
import { expansion, type Expand } from "#durable/reconcile/expansion";
import { readableLight } from "#durable/state/body";
import type { EngineContext } from "#durable/state/context";
import { memoryOf } from "#durable/state/device-memory";
import { plan } from "#durable/state/plan";

/** As many steps as take about half a second; a fortnight of a light with three windows a night has a hundred. */
const MOST_STEPS = 50_000;
/** What is further ahead of a light with some hundred windows a day is left out. */
const MOST_STEPS_EACH = 10_000;

/**
 * What each device is going to do, from what is remembered of it now. Changes nothing. Devices that are unknown or
 * cannot be read are left out.
 */
export function forecast(context: EngineContext, { device_ids, from, to }: ForecastRequest): Forecast {
  const now = context.now();
  const expand = expansion(now, to);
  const data: Forecast["data"] = [];
  let steps = 0;
  for (const device_id of device_ids) {
    if (steps >= MOST_STEPS) return { data, next: device_id };
    const ahead = readableLight(context, device_id, () => stepsOf(context, device_id, now, to, expand));
    if (ahead === null) continue;
    steps += ahead.steps.length;
    const all = segmentsOf(ahead.steps, ahead.to, ahead.zone);
    data.push({ device_id, segments: within(all, from) });
  }
  return { data, next: null };
}

/** `to` is how far it was looked. */
type Ahead = { steps: Step[]; to: number; zone: string };

function stepsOf(context: EngineContext, device_id: string, now: number, to: number, expand: Expand): Ahead | null {
  const device = plan.device(context.sql, device_id);
  if (!device) return null;
  const view = viewOf(context.sql, device);
  const { zone } = view.limits.guardrails;
  const steps: Step[] = [];
  for (const step of foresee(outlookOf(view, memoryOf(context.sql, device_id)), now, to, expand)) {
    if (steps.length === MOST_STEPS_EACH) return { steps, to: step.at, zone };
    steps.push(step);
  }
  return { steps, to, zone };
}

function within(segments: Segment[], from: number): Segment[] {
  return segments
    .filter(({ to }) => to > from)
    .map((segment) => (segment.from < from ? { ...segment, from } : segment));
}
