import type { EngineContext } from "#durable/state/context";
import { CONNECTIONS_EACH } from "#durable/providers/runners";
import { settingsOf } from "#durable/state/plan";

/** D1 has two of the connections for itself, a pull and a delivery: no slow hub holds up a person's records. */
const D1_CONNECTIONS = 2;
/** So many texts and lists at once, so that the others are always free for lights. */
const MOST_ERRANDS = 2;
/** The cloud's budget asks for no more, however many connections there may be. */
const CLOUD_LANES = 6;

/** How many calls may be under way at once. Simulated lamps open no connection: nothing but their hubs limits them. */
export function lanesOf(context: EngineContext): number {
  const { PROVIDER_MODE } = settingsOf(context.sql);
  if (PROVIDER_MODE === "mock") return Infinity;
  const lanes = shared(context);
  return PROVIDER_MODE === "cloud" ? Math.min(CLOUD_LANES, lanes) : lanes;
}

/** How many more calls may leave now. */
export function freeLanes(context: EngineContext): number {
  const lanes = lanesOf(context);
  return lanes === Infinity ? Infinity : Math.max(0, lanes - context.calling - errandsUnderWay(context));
}

/**
 * Work that opens one connection and is no call of the queues: a text, an account's list. It waits for a lane, before all
 * calls that wait. What is asked for under the same key while it waits or goes on is done once.
 */
export function runErrand(context: EngineContext, key: string, work: () => Promise<void>): void {
  if (context.errands.some((errand) => errand.key === key)) return;
  context.errands.push({ key, work, isUnderWay: false });
  context.startRunners();
}

/** Starts the errands for which there is a lane. */
export function startErrands(context: EngineContext): void {
  for (const errand of context.errands.filter(({ isUnderWay }) => !isUnderWay)) {
    const underWay = errandsUnderWay(context);
    const calling = settingsOf(context.sql).PROVIDER_MODE === "mock" ? 0 : context.calling;
    if (underWay >= MOST_ERRANDS || underWay + calling >= shared(context)) return;
    errand.isUnderWay = true;
    void errand.work().finally(() => {
      context.errands = context.errands.filter((other) => other !== errand);
      context.startRunners();
    });
  }
}

/** The connections that calls and errands share. */
function shared({ connections, runners }: EngineContext): number {
  if (runners > 0) return runners * CONNECTIONS_EACH;
  return Math.max(1, connections - D1_CONNECTIONS);
}

function errandsUnderWay({ errands }: EngineContext): number {
  return errands.filter(({ isUnderWay }) => isUnderWay).length;
}
