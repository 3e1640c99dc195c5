import { assertNever } from "#domain/assert-never";
import { earliest } from "#domain/earliest";
import type { ProviderMode } from "#domain/enums";
import type { ProviderResult, FailurePlace, FailureReason, How, HubAddress, Provider } from "./provider";
import type { Side, Transport, TransportCall } from "./transport";

/** The browser gives up at 10 s, so a toggle has 9 s; with two ways to try, each has at least half of them. */
const FIRST_OF_TWO_MS = 4_200;
const LOCAL_MS = 6_000;
/** A hub that did not answer is not waited for again at once, where there is another way. */
const SILENT_COOLDOWN_MS = 15_000;
/** A person waits for a list. */
const A_PERSONS = {
  priority: "person",
  cached_since: null,
  not_after: null,
  device_id: null,
  order: 0,
  off_after_min: null,
} as const;

/**
 * The real provider: cloud and local are for everything, hybrid obeys each hub's connection_mode, and a device without
 * hub goes by cloud. With two ways, local comes first and the cloud takes over within the same call; both
 * tries are in the snippet.
 */
export function realProvider(transports: Record<Side, Transport>, now: () => number): Provider {
  const silent = new Map<string, { at: number; where: FailurePlace }>();

  return {
    switch: (address, action, timeout_ms, how) =>
      viaTransports(address.mode, address.hub, timeout_ms, how, (transport, call) =>
        transport.switch(address, action, call),
      ),
    read: (address, timeout_ms, how) =>
      viaTransports(address.mode, address.hub, timeout_ms, how, (transport, call) => transport.read(address, call)),
    ping: (hub, mode, timeout_ms, how) => {
      // Who asks whether the hub is there wants it tried, however silent it was.
      silent.delete(hub.id);
      return viaTransports(mode, hub, timeout_ms, how, (transport, call) => transport.ping(hub, call));
    },
    list: (hub, timeout_ms) => {
      const until = now() + timeout_ms - 100;
      return transports[hub ? "local" : "cloud"].list(hub, { ...A_PERSONS, until });
    },
  };

  async function viaTransports(
    mode: ProviderMode,
    hub: HubAddress | null,
    timeout_ms: number,
    how: How,
    callOne: (transport: Transport, call: TransportCall) => Promise<ProviderResult>,
  ): Promise<ProviderResult> {
    const until = now() + timeout_ms - 100;
    const { via, ...call } = how;
    const sides = via === "local" || via === "cloud" ? [via] : sidesOf(mode, hub);
    if (sides.length === 1) {
      const [side] = sides;
      const cut = side === "local" ? Math.min(until, now() + LOCAL_MS) : until;
      return callOne(transports[side ?? "cloud"], { ...call, until: cut });
    }
    const first = await callLocal(hub, (transport) =>
      callOne(transport, { ...call, until: Math.min(until, now() + FIRST_OF_TWO_MS) }),
    );
    // A busy device is busy by the cloud too.
    if (first.ok || first.limit === "device") return first;
    const second = await callOne(transports.cloud, { ...call, until });
    return mergeFailure(first, second);
  }

  async function callLocal(
    hub: HubAddress | null,
    callOne: (transport: Transport) => Promise<ProviderResult>,
  ): Promise<ProviderResult> {
    const id = hub?.id ?? "";
    const was = silent.get(id);
    const silent_ms = now() - (was?.at ?? -Infinity);
    // What was silent in the future was so by a clock that was ahead.
    if (was && silent_ms >= 0 && silent_ms < SILENT_COOLDOWN_MS) {
      const detail = `not tried, it was silent ${Math.round(silent_ms / 1000)} s ago`;
      const details = { provider: "local" as const, http_status: null, rtt_ms: 0 };
      return {
        ok: false,
        reason: "unreachable",
        detail: `hub ${hub?.name}: ${detail}`,
        failures: [{ where: was.where, reason: "unreachable" }],
        snippet: `local: ${detail}`,
        ...details,
      };
    }
    const answer = await callOne(transports.local);
    const where = answer.failures?.[0]?.where ?? "hub";
    if (isSilence(answer)) silent.set(id, { at: now(), where });
    else silent.delete(id);
    return answer;
  }
}

/** Whether it is worth while not to ask again at once. An agent that is not there is known at once, and may be back. */
function isSilence(answer: ProviderResult): boolean {
  if (answer.ok || (answer.reason !== "unreachable" && answer.reason !== "timeout")) return false;
  return answer.reason === "timeout" || answer.failures.every(({ where }) => where !== "agent");
}

/** Whether nothing but the device's hub itself reaches its lamp. */
export function isByHubAlone(mode: ProviderMode, hub: HubAddress | null): boolean {
  return sidesOf(mode, hub).every((side) => side === "local");
}

/** The ways to try, in their order. */
export function sidesOf(mode: ProviderMode, hub: HubAddress | null): Side[] {
  switch (mode) {
    case "mock":
    case "cloud":
      return ["cloud"];
    case "local":
      return ["local"];
    case "hybrid":
      if (!hub) return ["cloud"];
      return hub.connection_mode === "hybrid" ? ["local", "cloud"] : [hub.connection_mode];
    default:
      return assertNever(mode);
  }
}

/** From what may have been done to what never will be: two failures are told as the first of these. */
const BY_SEVERITY: FailureReason[] = ["timeout", "device", "throttled", "unreachable", "refused"];

function mergeFailure(first: ProviderResult & { ok: false }, second: ProviderResult): ProviderResult {
  const details = { rtt_ms: second.ok ? second.rtt_ms : first.rtt_ms + second.rtt_ms };
  const snippet = `${first.snippet.slice(0, 100)}; ${second.snippet}`.slice(0, 200);
  const failures = [...first.failures, ...(second.failures ?? [])];
  if (second.ok) return { ...second, ...details, failures, snippet };
  const reason = BY_SEVERITY.find((r) => r === first.reason || r === second.reason) ?? second.reason;
  const detail = `${first.detail}; ${second.detail}`;
  // Either way would do: it is asked again as soon as one of them lets us.
  const retry_after_ms = earliest(first.retry_after_ms ?? null, second.retry_after_ms ?? null) ?? undefined;
  return { ...second, ...details, failures, snippet, reason, detail, retry_after_ms };
}
