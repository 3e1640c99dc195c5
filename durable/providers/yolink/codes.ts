import type { FailureReason } from "#durable/providers/provider";

/**
 * What a code asks of us:
 * - `access`: the access token is void; get a new one and try once more
 * - `device_token`: the device's token is void; reload the list, then get a new access token, each once
 * - `list`: the device may be new; reload the list, once
 * - null: trying again at once does not help
 */
export type Renewal = "access" | "device_token" | "list" | null;

/** Where it went wrong; `far_end` is whoever was called, the cloud or the hub. */
export type Fault = "device" | "hub" | "far_end";

type Meaning = { then: Renewal; reason: FailureReason; where: Fault; says: string };

export const SUCCESS = "000000";

const MEANINGS: Record<string, Meaning> = {
  "000101": { then: null, reason: "unreachable", where: "hub", says: "its hub is offline" },
  "000102": refused("device", "its hub cannot do this"),
  "000103": { then: "device_token", reason: "refused", where: "device", says: "its token is not accepted" },
  "000104": { then: "device_token", reason: "refused", where: "device", says: "the hub's token is not accepted" },
  "000201": noAnswer("the device did not answer"),
  "000202": noAnswer("the device could not respond"),
  "000203": noAnswer("the device did not answer"),
  "010000": { then: null, reason: "unreachable", where: "far_end", says: "the service is not available" },
  "010001": { then: null, reason: "unreachable", where: "far_end", says: "the service has an internal fault" },
  "010101": refused("far_end", "it refuses the call (010101)"),
  "010102": refused("far_end", "it refuses the call (010102)"),
  "010103": { then: "access", reason: "refused", where: "far_end", says: "the authorization is not accepted" },
  "010104": { then: "access", reason: "refused", where: "far_end", says: "the access token expired" },
  "010203": refused("device", "the device cannot do this: its type or its payload is wrong"),
  "010300": refused("far_end", "it refuses the call (010300)"),
  "010301": { then: null, reason: "throttled", where: "far_end", says: "the account's limit of calls is reached" },
  "020101": { then: "list", reason: "refused", where: "device", says: "the device does not exist" },
  "020104": { then: null, reason: "throttled", where: "device", says: "the device is busy" },
  "030101": noAnswer("it has no data"),
  // Also what a hub answers for a well-formed token with a bad signature.
  "999999": { then: "access", reason: "unreachable", where: "far_end", says: "an unknown fault" },
};

/** The meaning of a code of six digits; one that is not listed is a refusal, and its number is shown. */
export function meaningOf(code: string): Meaning {
  return MEANINGS[code] ?? refused("device", `it refuses the call (${code})`);
}

/** Whether it is one of the vendor's codes that has a meaning of its own here. */
export function isKnown(code: string): boolean {
  return code === SUCCESS || Object.hasOwn(MEANINGS, code);
}

function refused(where: Fault, says: string): Meaning {
  return { then: null, reason: "refused", where, says };
}

function noAnswer(says: string): Meaning {
  return { then: null, reason: "device", where: "device", says };
}
