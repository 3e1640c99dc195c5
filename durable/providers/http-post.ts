/** One HTTP exchange: what came, or why nothing did. Never a throw. */
export type Reply =
  | {
      ok: true;
      status: number;
      text: string;
      /** How long the far end asked us to wait, in ms, where it did. */
      retry_after_ms?: number;
    }
  /** `unsent`: it cannot have been done. `lost`: it may have been done, but the answer is missing. */
  | { ok: false; failure: "unsent" | "lost"; status: number | null; detail: string };

/** What is posted; `url` is absolute. */
export type Request = { url: string; headers: Record<string, string>; body: string };

/** Posts once; failures of the network are values, see Reply. */
export type Post = (request: Request, limits: { timeout_ms: number; max_bytes: number }) => Promise<Reply>;

type After = (ms: number, then: () => void) => () => void;

/** How runtimes say that nobody took the connection. workerd says 'Network connection lost' for a broken one, too. */
const NOT_CONNECTED = /refused|unreachable|not resolve|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|disallowed|local address/i;

/**
 * Posts over HTTP within `timeout_ms`, body included. Redirects are not followed: they would carry the credentials to
 * wherever they point. Of a body at most `max_bytes` are kept; what is longer is given up, its connection freed. Where a
 * body breaks off, or does not end in time, the status has come all the same.
 */
export function httpPost(fetcher: typeof fetch, after: After): Post {
  return async ({ url, headers, body }, { timeout_ms, max_bytes }) => {
    const abort = new AbortController();
    const callOff = after(timeout_ms, () => abort.abort());
    let status: number | null = null;
    try {
      const response = await fetcher(url, { method: "POST", headers, body, redirect: "manual", signal: abort.signal });
      ({ status } = response);
      const reply = await read(response, max_bytes);
      return reply.ok && isOutOfReach(reply) ? unsent("it could not be reached", reply.status) : reply;
    } catch (error) {
      if (abort.signal.aborted) return lost(`no answer within ${(timeout_ms / 1000).toFixed(1)} s`, status);
      const why = `${String(error)} ${error instanceof Error ? String(error.cause ?? "") : ""}`;
      return status === null && NOT_CONNECTED.test(why)
        ? unsent("it could not be reached", null)
        : lost("there is no connection, or it broke off", status);
    } finally {
      callOff();
    }
  };
}

/** The edge answers for an address that it may not call: `error code: 1003` and its like. */
function isOutOfReach({ status, text }: Reply & { ok: true }): boolean {
  return status === 403 && /error code: 100\d/i.test(text);
}

async function read(response: Response, max_bytes: number): Promise<Reply> {
  const { status } = response;
  const retry_after_ms = retryAfter(response.headers);
  if (status === 0 || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    return unsent("it answered with a redirect, which is not followed", status || null);
  }
  const reader = response.body?.getReader();
  if (!reader) return { ok: true, status, text: "", ...retry_after_ms };
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { ok: true, status, text: text + decoder.decode(), ...retry_after_ms };
    bytes += value.byteLength;
    if (bytes > max_bytes) {
      await reader.cancel();
      return { ok: false, failure: "lost", status, detail: "its answer is far too long" };
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Retry-After in seconds, or as a date that is compared with the answer's own. */
function retryAfter(headers: Headers): { retry_after_ms?: number } {
  const text = headers.get("Retry-After");
  if (text === null) return {};
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.parse(headers.get("Date") ?? "");
  return ms > 0 ? { retry_after_ms: ms } : {};
}

function unsent(detail: string, status: number | null): Reply {
  return { ok: false, failure: "unsent", status, detail };
}

function lost(detail: string, status: number | null): Reply {
  return { ok: false, failure: "lost", status, detail };
}
