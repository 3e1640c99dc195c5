import type { Step } from "#domain/forecast/forecast";
import { coolingWords, coolUntil } from "#domain/resolve/cooling";
import { formatClock } from "#domain/time/display";
import { memoryOf } from "#durable/state/device-memory";
import { plan, settingsOf } from "#durable/state/plan";
import type { EngineContext } from "#durable/state/context";

/** When the device's lamp has cooled and can be lit again (epoch ms); null if it can be now. */
export function coolsUntil(context: EngineContext, device_id: string): number | null {
  const restrike_min = plan.device(context.sql, device_id)?.restrike_min ?? 0;
  return coolUntil(memoryOf(context.sql, device_id), restrike_min, context.now());
}

/** What a person is told who pressed ON meanwhile. `flip` is when the light would go off if it burned already. */
export function coolingSentence({ sql }: EngineContext, id: string, cools_until: number, flip: Step | null): string {
  const { APP_TIMEZONE } = settingsOf(sql);
  return coolingWords(flip, memoryOf(sql, id), cools_until, (at) => formatClock(at, APP_TIMEZONE));
}
