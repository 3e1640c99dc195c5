import type { FailureReason } from "../provider";

/**
 * What a code asks of us (yolink.md 6):
 * - `access`: the access token is void; a new one, and once more
 * - `device_token`: the device's token is void; the list again, then a new access token, each once
 * - `list`: the device may have come since; the list again, once
 * - a FailureReason: no use in asking again at once
 */
type Meaning = { then: "access" | "device_token" | "list" | null; reason: FailureReason; says: string };

const MEANINGS: Record<string, Meaning> = {
  "000101": { then: null, reason: "unreachable", says: "its hub is offline" },
  "000102": refused("its hub cannot do this"),
  "000103": { then: "device_token", reason: "refused", says: "its token is not accepted" },
  "000104": { then: "device_token", reason: "refused", says: "the hub's token is not accepted" },
  "000201": { then: null, reason: "device", says: "the device did not answer" },
  "000202": { then: null, reason: "device", says: "the device could not respond" },
  "000203": { then: null, reason: "device", says: "the device did not answer" },
  "010000": { then: null, reason: "unreachable", says: "the service is not available" },
  "010001": { then: null, reason: "unreachable", says: "the service has an internal fault" },
  "010103": { then: "access", reason: "refused", says: "the authorization is not accepted" },
  "010104": { then: "access", reason: "refused", says: "the access token expired" },
  "010203": refused("the device cannot do this: its type or its payload is wrong"),
  "010301": { then: null, reason: "throttled", says: "the account's limit of calls is reached" },
  "020101": { then: "list", reason: "refused", says: "the device does not exist" },
  "020104": { then: null, reason: "throttled", says: "the device is busy" },
  "030101": { then: null, reason: "device", says: "it has no data" },
  // Also what a hub answers for a well-formed token with a bad signature.
  "999999": { then: "access", reason: "unreachable", says: "an unknown fault" },
};

/** The meaning of a code; one that is not known is for good, and its number is told. */
export function meaningOf(code: string): Meaning {
  return MEANINGS[code] ?? refused(`it refuses the call (${code})`);
}

function refused(says: string): Meaning {
  return { then: null, reason: "refused", says };
}
