import { settingsOf } from "#durable/state/plan";
import type { EngineContext } from "#durable/state/context";

/** The platform lets one event make 1,000 subrequests and use CPU for some seconds; D1 and texts have a tenth of both. */
const MOST_SUBREQUESTS = 900;
/** Of a call: a token, the local way, and the cloud where that fails. */
const SUBREQUESTS_A_CALL = 3;
/** What an event hands out at most. Where a call is a subrequest, it counts as more; a whole cycle costs 0.5 ms of CPU. */
export const MOST_CALLS = 4_500;
const COUNTS_AS = (MOST_CALLS * SUBREQUESTS_A_CALL) / MOST_SUBREQUESTS;

/** An alarm rings, or a person asks: the platform counts anew. */
export function beginEvent(context: EngineContext): void {
  context.calls_left = MOST_CALLS;
}

/** How many calls this event may still make. */
export function callsLeft(context: EngineContext): number {
  return Math.floor((context.calls_left ?? 0) / countsAs(context));
}

/** Counts calls that leave. With the last one the alarm is asked for at once: it is an event of its own. */
export function noteCalls(context: EngineContext, calls: number): void {
  if (context.calls_left === null) return;
  context.calls_left -= calls * countsAs(context);
  if (callsLeft(context) === 0) context.calls_left = null;
}

function countsAs(context: EngineContext): number {
  return settingsOf(context.sql).PROVIDER_MODE === "mock" ? 1 : COUNTS_AS;
}
