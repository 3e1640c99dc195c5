import { failedCallsPoint, tickPoint, type TickCounts } from "#domain/operations/metrics";
import { toIso } from "#domain/time/to-iso";
import type { EngineContext } from "#durable/state/context";
import { newTally } from "#durable/state/tally";

/**
 * One line and one data point a tick, of everything since the last: what people read when nobody knows why a light is
 * dark. A tick that found nothing to do says nothing; the watchdog's, once in WATCHDOG_INTERVAL_SEC, are the heartbeat.
 */
export function tellTick(context: EngineContext): void {
  const { tally, armed_at, reports } = context;
  const { timers, late_ms, commands, calls, settled, delivered } = tally;
  if (timers + commands + calls + settled + delivered === 0) return;
  context.tally = newTally(tally.ticked_at);
  const failed = [...tally.failed.values()].reduce((sum, n) => sum + n, 0);
  const waiting = reports.length;
  const counts: TickCounts = { timers, late_ms, commands, calls, settled, failed, delivered, waiting };
  const next_alarm_at = armed_at === null ? null : toIso(armed_at);
  context.log({ level: "info", event: "tick", ...counts, next_alarm_at });
  context.measure((org) => [
    tickPoint(org, counts),
    ...[...tally.failed].map(([hub, n]) => failedCallsPoint(org, hub, n)),
  ]);
}
