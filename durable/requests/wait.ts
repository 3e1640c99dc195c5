import type { EngineContext, RequestResult } from "#durable/state/context";

/** What the command or probe is answered with, or null after `within_ms`. */
export function waitFor(context: EngineContext, seq: number, within_ms: number): Promise<RequestResult | null> {
  return new Promise((resolve) => {
    const callOff = context.after(within_ms, () => settle(null));
    const settle = (replied: RequestResult | null) => {
      callOff();
      context.waiting.delete(seq);
      resolve(replied);
    };
    context.waiting.set(seq, settle);
  });
}
