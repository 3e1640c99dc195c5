import type { EngineContext } from "./context";

/** D1 answers within milliseconds; a call that has not by now may never do so. */
export const D1_DEADLINE_MS = 10_000;

/**
 * What the work comes to, or a rejection after `ms`. The work itself goes on: whoever asks must be able to ask again,
 * whatever becomes of it.
 */
export function withDeadline<T>(context: Pick<EngineContext, "after">, ms: number, work: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const callOff = context.after(ms, () => reject(new Error(`no answer within ${ms / 1000} s`)));
    void Promise.resolve(work).then(resolve, reject).finally(callOff);
  });
}
