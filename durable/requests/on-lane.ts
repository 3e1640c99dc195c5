import { runErrand } from "#durable/dispatch/lanes";
import type { EngineContext } from "#durable/state/context";

/** Something that opens one connection and for which a person waits: it has its turn before all calls that wait. */
export function onLane<T>(context: EngineContext, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve) => {
    runErrand(context, crypto.randomUUID(), async () => resolve(await work()));
  });
}
