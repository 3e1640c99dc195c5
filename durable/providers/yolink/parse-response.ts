import type { FailureReason, Limit } from "../provider";
import { meaningOf } from "./codes";
import { readPacket, type Json } from "./packet";
import type { Reply } from "./wire";

export type Failed = {
  ok: false;
  reason: FailureReason;
  status: number | null;
  code: string | null;
  detail: string;
  /** What may be renewed before it is asked once more. */
  then: "access" | "device_token" | "list" | null;
  retry_after_ms?: number;
  limit?: Limit;
};

/** What came of one call of the API. */
export type ParsedResponse = { ok: true; status: number; code: string; desc: string; data: Json } | Failed;

/** How long an account or a device is left in peace after it said that its limit is reached (yolink.md 6). */
export const ACCOUNT_COOLDOWN_MS = 60_000;
export const DEVICE_COOLDOWN_MS = 10_000;

export function parseResponse(reply: Reply): ParsedResponse {
  if (!reply.ok) {
    return failed(reply.failure === "lost" ? "timeout" : "unreachable", reply.detail, { status: reply.status });
  }
  const packet = readPacket(reply);
  const { status } = packet;
  if (packet.kind === "unrecognized") {
    // Whoever stands in front may have passed the call on: it may have been done.
    if (status !== 401 && status !== 403) return failed("timeout", packet.detail, { status });
    return failed("refused", "it does not let us in: access is misconfigured", { status, then: "access" });
  }
  const { code, desc, data } = packet;
  if (code === "000000") return { ok: true, status, code, desc, data };
  const { reason, says, then } = meaningOf(code);
  const more = { status, code, then };
  if (reason !== "throttled") return failed(reason, says, more);
  return code === "010301"
    ? failed(reason, says, { ...more, limit: "account", retry_after_ms: ACCOUNT_COOLDOWN_MS })
    : failed(reason, says, { ...more, limit: "device", retry_after_ms: DEVICE_COOLDOWN_MS });
}

export function failed(reason: FailureReason, detail: string, more: Partial<Failed> = {}): Failed {
  return { status: null, code: null, then: null, ...more, ok: false, reason, detail };
}

/** What failed before the command itself was sent has done nothing. */
export function nothingDone(response: Failed): Failed {
  return response.reason === "timeout"
    ? { ...response, reason: "unreachable", then: null }
    : { ...response, then: null };
}
