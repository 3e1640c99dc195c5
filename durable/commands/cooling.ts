import { coolUntil } from "#domain/resolve/cooling";
import { formatClock } from "#domain/time/display";
import { memoryOf } from "#durable/state/device-memory";
import { plan, settingsOf } from "#durable/state/plan";
import type { EngineContext } from "#durable/state/context";

/** When the device's lamp has cooled and can be lit again (epoch ms); null if it can be now. */
export function coolsUntil(context: EngineContext, device_id: string): number | null {
  const restrike_min = plan.device(context.sql, device_id)?.restrike_min ?? 0;
  return coolUntil(memoryOf(context.sql, device_id), restrike_min, context.now());
}

/** What a person is told who pressed ON meanwhile. */
export function coolingSentence({ sql }: EngineContext, until: number): string {
  return `Lamp is cooling; on at ${formatClock(until, settingsOf(sql).APP_TIMEZONE)}`;
}
