import type { FailureReason, Limit } from "#durable/providers/provider";
import type { Reply } from "#durable/providers/http-post";
import type { Json } from "#domain/fields/json";
import { isKnown, meaningOf, SUCCESS, type Fault, type Renewal } from "./codes";
import { isGateways, isTooMany, LIMIT_REACHED, readPacket } from "./packet";

export type Failed = {
  ok: false;
  reason: FailureReason;
  /** Null: nothing was asked, by our own doing. */
  where: Fault | null;
  status: number | null;
  code: string | null;
  /** In our own words. */
  detail: string;
  /** What may be renewed before it is asked once more. */
  then: Renewal;
  retry_after_ms?: number;
  limit?: Limit;
};

/** What came of one call of the API; `says` is our own word for a success. */
export type ParsedResponse = { ok: true; status: number; code: string; says: string; data: Json } | Failed;

/** How long an account or a device is left in peace after it said that its limit is reached. */
const ACCOUNT_COOLDOWN_MS = 60_000;
const DEVICE_COOLDOWN_MS = 10_000;
/** Nobody may keep an OFF waiting for longer than this, whatever is asked for. */
export const MAX_COOLDOWN_MS = 300_000;

/**
 * What a reply comes to. A code of the vendor, a proxy's status and no reply at all are failures as values; text of the far
 * end is in none of them.
 */
export function parseResponse(reply: Reply): ParsedResponse {
  if (!reply.ok) {
    return failed(reply.failure === "lost" ? "timeout" : "unreachable", reply.detail, { status: reply.status });
  }
  const packet = readPacket(reply);
  const { status } = packet;
  if (packet.kind === "unrecognized" || (!isKnown(packet.code) && isGateways(packet))) {
    if (isTooMany(packet)) return throttled(reply);
    // A proxy may have passed the call on before it gave up: it may have been done.
    if (status !== 401 && status !== 403) return failed("timeout", unrecognized(status), { status });
    return failed("refused", "it does not let us in: access is misconfigured", { status, then: "access" });
  }
  const { code, data } = packet;
  if (code === SUCCESS) return { ok: true, status, code, says: "Success", data };
  const { reason, where, says, then } = meaningOf(code);
  const more = { status, code, then, where };
  if (reason !== "throttled") return failed(reason, says, more);
  return code === LIMIT_REACHED
    ? failed(reason, says, { ...more, limit: "account", retry_after_ms: ACCOUNT_COOLDOWN_MS })
    : failed(reason, says, { ...more, limit: "device", retry_after_ms: DEVICE_COOLDOWN_MS });
}

/** HTTP 429, as a proxy or the token endpoint says it. */
export function throttled({ status, retry_after_ms }: Reply & { ok: true }): Failed {
  const wait_ms = Math.min(retry_after_ms ?? ACCOUNT_COOLDOWN_MS, MAX_COOLDOWN_MS);
  return failed("throttled", "it says that there are too many calls", {
    status,
    limit: "account",
    retry_after_ms: wait_ms,
  });
}

/** In words, an answer that follows another protocol; `status` is its HTTP status. */
export function unrecognized(status: number): string {
  return `it answered (${status}), but not as a YoLink hub or cloud does`;
}

/** A failure of whoever was called, unless `more` says that it was elsewhere. */
export function failed(reason: FailureReason, detail: string, more: Partial<Failed> = {}): Failed {
  return { status: null, code: null, then: null, where: "far_end", ...more, ok: false, reason, detail };
}

/** What failed before the command itself was sent has done nothing. */
export function nothingDone(response: Failed): Failed {
  return response.reason === "timeout"
    ? { ...response, reason: "unreachable", then: null }
    : { ...response, then: null };
}
