import type { DeviceState } from "#domain/enums";
import type { Address, Failure, ProviderResult, HubAddress, Priority } from "#durable/providers/provider";
import type { Side, Transport, TransportCall } from "#durable/providers/transport";
import type { Client } from "./client";
import { failed, type ParsedResponse } from "./parse-response";
import { offTimer } from "./off-timer";
import { maskOf, payloadFor, isSwitchable, notALight } from "./payload";
import type { Account, Bounds } from "./endpoint";
import { readState } from "./state";
import { targetOf } from "./target";

/** The account to call and what it is called in sentences; or why there is none, which needs no network to say. */
export type Reached =
  | { ok: true; account: Account; name: string; hint?: string }
  | { ok: false; detail: string; where?: "device" };

export type TransportDeps = {
  side: Side;
  client: Client;
  now: () => number;
  reach: (hub: HubAddress | null) => Promise<Reached>;
  acquire: (account: Account, device: string | null, priority: Priority) => ReturnType<Bounds["acquire"]>;
  /** Told of every refusal for a limit, so that nobody asks again too soon. */
  backOff: (account: Account, device: string, response: ParsedResponse & { ok: false }) => void;
  ping: (account: Account, hub: HubAddress, bounds: Bounds) => Promise<ParsedResponse>;
  /** Whether the far end remembers states that are worth asking for. */
  cachesState: boolean;
};

/** A mains lamp reports at least every 70 minutes; what it said before that is no news. */
const CACHED_STATE_VALID_MS = 70 * 60_000;

/** Switching and reading by the vendor's protocol; the cloud and a hub differ only in `deps`. */
export function yolinkTransport(deps: TransportDeps): Transport {
  const { side, client, now } = deps;

  /** Finds the account and the lamp, asks, and tells the answer. */
  async function device(
    address: Address,
    call: TransportCall,
    ask: (
      account: Account,
      id: string,
      mask: number,
      bounds: Bounds,
    ) => Promise<{ response: ParsedResponse; state: DeviceState }>,
  ): Promise<ProviderResult> {
    const began = now();
    const reached = await deps.reach(address.hub);
    if (!reached.ok) return notReached(side, reached);
    const target = targetOf(address, side);
    if (!target.ok) return notReached(side, { ...target, where: "device" });
    const { account } = reached;
    const { response, state } = await ask(account, target.device, target.mask, boundsOf(account, call));
    if (!response.ok && response.status !== null) deps.backOff(account, target.device, response);
    return toResult(side, response, state, now() - began, reached);
  }

  function boundsOf(account: Account, { until, priority, not_after }: TransportCall): Bounds {
    return { until, not_after, acquire: (device) => deps.acquire(account, device, priority) };
  }

  return {
    switch: (address, action, call) =>
      device(address, call, async (account, id, mask, bounds) => {
        const response = await client.ask(account, id, ({ type }) => payloadFor(action, type, address, mask), bounds);
        return { response, state: action };
      }),

    read: (address, call) =>
      device(address, call, async (account, id, mask, bounds) => {
        let counted = mask;
        let model = address.model ?? "";
        const asked = (verb: "getState" | "fetchState") =>
          client.ask(
            account,
            id,
            ({ type, model: listed }) => {
              counted = maskOf(type, address, mask);
              if (listed !== "") model = listed;
              if (!isSwitchable(type)) return { ok: false, detail: notALight(type) };
              return { ok: true, method: `${type}.${verb}`, params: {} };
            },
            bounds,
          );
        const state = (response: ParsedResponse) =>
          response.ok ? readState(response.data, counted, model) : "unknown";
        if (deps.cachesState && call.cached_since !== null) {
          const response = await asked("fetchState");
          if (!response.ok || isFresh(response.data, call.cached_since, now()))
            return { response, state: state(response) };
        }
        const response = await asked("getState");
        return { response, state: state(response) };
      }),

    putOutAfter: (address, minutes, call) =>
      device(address, call, async (account, id, mask, bounds) => {
        const response = await client.ask(
          account,
          id,
          ({ type, model }) => offTimer(type, model || (address.model ?? ""), maskOf(type, address, mask), minutes),
          bounds,
        );
        return { response, state: "unknown" };
      }),

    ping: async (hub, call) => {
      const began = now();
      const reached = await deps.reach(hub);
      if (!reached.ok) return notReached(side, reached);
      const { account } = reached;
      const response = await deps.ping(account, hub, boundsOf(account, call));
      if (!response.ok && response.status !== null) deps.backOff(account, hub.id, response);
      return toResult(side, response, "unknown", now() - began, reached);
    },

    list: async (hub, call) => {
      const reached = await deps.reach(hub);
      if (!reached.ok) return { ok: false, reason: "refused", detail: reached.detail };
      const bounds = boundsOf(reached.account, call);
      // Listed a moment ago, it is not asked again: every call is taken from the same budget as the switching.
      const listed = (await client.again(reached.account, bounds)) ?? (await client.known(reached.account, bounds));
      if (listed.ok) return { ok: true, devices: listed.value };
      return { ok: false, reason: listed.reason, detail: `${reached.name}: ${listed.detail}` };
    },
  };
}

/**
 * A remembered state counts if the device is in touch and reported after `since`, and not too long ago. One of the future
 * would count for ever, whatever was switched since.
 */
function isFresh(data: Record<string, unknown>, since: number, now: number): boolean {
  const reported_at = Date.parse(String(data.reportAt));
  const isRecent = reported_at <= now && reported_at > now - CACHED_STATE_VALID_MS;
  return data.online !== false && reported_at > since && isRecent;
}

/** Why nobody could be called: it is the hub's or the cloud's setup, unless the device's own is to blame. */
function notReached(side: Side, { detail, where = "far_end" }: { detail: string; where?: "device" | "far_end" }) {
  return toResult(side, failed("refused", detail, { where }), "unknown", 0);
}

function toResult(
  provider: Side,
  response: ParsedResponse,
  state: DeviceState,
  rtt_ms: number,
  reached?: { name: string; hint?: string },
): ProviderResult {
  const details = { provider, http_status: response.status, rtt_ms };
  if (response.ok) {
    const words = [response.code, response.says, state === "unknown" ? "" : state].filter(Boolean).join(" ");
    return { ok: true, state, ...details, snippet: `${provider}: ${words}` };
  }
  const { reason, code, retry_after_ms, limit } = response;
  const isSilent = reason === "unreachable" || reason === "timeout";
  const hint = isSilent && code === null && reached?.hint ? ` (${reached.hint})` : "";
  const detail = `${reached ? `${reached.name}: ` : ""}${response.detail}${hint}`;
  const snippet = [`${provider}:`, code, response.detail].filter(Boolean).join(" ").slice(0, 200);
  return {
    ok: false,
    reason,
    detail,
    failures: failuresOf(provider, response),
    retry_after_ms,
    limit,
    ...details,
    snippet,
  };
}

function failuresOf(side: Side, { where, reason }: ParsedResponse & { ok: false }): Failure[] {
  if (where === null) return [];
  if (where !== "far_end") return [{ where, reason }];
  return [{ where: side === "cloud" ? "cloud" : "hub", reason }];
}
