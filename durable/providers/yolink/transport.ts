import type { DeviceState, ProviderName, SwitchAction } from "#domain/enums";
import type { Address, ProviderResult, HubAddress, Priority } from "../provider";
import type { Client } from "./client";
import { redact } from "./redact";
import { failed, type ParsedResponse } from "./parse-response";
import { maskOf, payloadFor, isSwitchable } from "./payload";
import type { Account, Bounds } from "./session";
import { readState } from "./state";
import { targetOf } from "./target";

export type TransportCall = { until: number; priority: Priority; cached_since: number | null };

/** The account to call and what it is called in sentences; or why there is none, which needs no network to say. */
export type Reached = { ok: true; account: Account; name: string; hint?: string } | { ok: false; detail: string };

/** One real way to the hardware. It never throws and never outlasts `until`. */
export type Transport = {
  switch: (address: Address, action: SwitchAction, call: TransportCall) => Promise<ProviderResult>;
  read: (address: Address, call: TransportCall) => Promise<ProviderResult>;
  ping: (hub: HubAddress, call: TransportCall) => Promise<ProviderResult>;
};

export type TransportDeps = {
  side: "cloud" | "local";
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

/** A mains lamp reports at least every 70 minutes; what it said before that is no news (yolink.md 5). */
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
    if (!reached.ok) return toResult(side, failed("refused", reached.detail), "unknown", 0);
    const target = targetOf(address, side);
    if (!target.ok) return toResult(side, failed("refused", target.detail), "unknown", 0);
    const { account } = reached;
    const { response, state } = await ask(account, target.device, target.mask, boundsOf(account, call));
    if (!response.ok && response.code !== null) deps.backOff(account, target.device, response);
    return toResult(side, response, state, now() - began, reached);
  }

  function boundsOf(account: Account, { until, priority }: TransportCall): Bounds {
    return { until, acquire: (device) => deps.acquire(account, device, priority) };
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
        const asked = (verb: "getState" | "fetchState") =>
          client.ask(
            account,
            id,
            ({ type }) => {
              counted = maskOf(type, address, mask);
              if (!isSwitchable(type)) return { ok: false, detail: `the device is a ${type}, which is not a light` };
              return { ok: true, method: `${type}.${verb}`, params: {} };
            },
            bounds,
          );
        const state = (response: ParsedResponse) => (response.ok ? readState(response.data, counted) : "unknown");
        if (deps.cachesState && call.cached_since !== null) {
          const response = await asked("fetchState");
          if (!response.ok || isFresh(response.data, call.cached_since, now()))
            return { response, state: state(response) };
        }
        const response = await asked("getState");
        return { response, state: state(response) };
      }),

    ping: async (hub, call) => {
      const began = now();
      const reached = await deps.reach(hub);
      if (!reached.ok) return toResult(side, failed("refused", reached.detail), "unknown", 0);
      const { account } = reached;
      const response = await deps.ping(account, hub, boundsOf(account, call));
      if (!response.ok && response.code !== null) deps.backOff(account, hub.id, response);
      return toResult(side, response, "unknown", now() - began, reached);
    },
  };
}

/** A remembered state counts if the device is in touch and reported after `since`, and not too long ago. */
function isFresh(data: Record<string, unknown>, since: number, now: number): boolean {
  const reported_at = Date.parse(String(data.reportAt));
  return data.online !== false && reported_at > since && reported_at > now - CACHED_STATE_VALID_MS;
}

function toResult(
  provider: ProviderName,
  response: ParsedResponse,
  state: DeviceState,
  rtt_ms: number,
  reached?: { name: string; hint?: string },
): ProviderResult {
  const details = { provider, http_status: response.status, rtt_ms };
  if (response.ok) {
    const words = [response.code, redact(response.desc), state === "unknown" ? "" : state].filter(Boolean).join(" ");
    return { ok: true, state, ...details, snippet: `${provider}: ${words}` };
  }
  const { reason, code, retry_after_ms, limit } = response;
  const isSilent = reason === "unreachable" || reason === "timeout";
  const hint = isSilent && code === null && reached?.hint ? ` (${reached.hint})` : "";
  const detail = `${reached ? `${reached.name}: ` : ""}${response.detail}${hint}`;
  const snippet = [`${provider}:`, code, response.detail].filter(Boolean).join(" ").slice(0, 200);
  return { ok: false, reason, detail, retry_after_ms, limit, ...details, snippet };
}
