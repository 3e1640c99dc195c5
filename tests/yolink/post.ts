import type { Post } from "#durable/providers/http-post";
import type { Simulator } from "./simulator";

type After = (ms: number, then: () => void) => () => void;

function waitIn({ "Retry-After": sec }: Record<string, string>): { retry_after_ms?: number } {
  return sec === undefined ? {} : { retry_after_ms: Number(sec) * 1000 };
}

/**
 * Calls the simulator without a network, for a virtual clock: `base` is `http://{door}`. A call goes on after its
 * timeout, as a real one does.
 */
export function postTo(simulator: Simulator, doorOf: (base: string) => string, after: After): Post {
  return ({ url, headers, body }, { timeout_ms }) =>
    new Promise((resolve) => {
      const { origin, pathname, search } = new URL(url);
      const callOff = after(timeout_ms, () => {
        resolve({ ok: false, failure: "lost", status: null, detail: `no answer within ${timeout_ms / 1000} s` });
      });
      const asked = { path: pathname, query: search.slice(1), authorization: headers.Authorization ?? null, body };
      void simulator.ask(doorOf(origin), asked).then((told) => {
        if (told === "silence") return;
        callOff();
        if (told === "drop")
          resolve({ ok: false, failure: "lost", status: null, detail: "there is no connection, or it broke off" });
        else if (told === "refused")
          resolve({ ok: false, failure: "unsent", status: null, detail: "it could not be reached" });
        else resolve({ ok: true, status: told.status, text: told.body, ...waitIn(told.headers) });
      });
    });
}
