import type { DeviceState, ProviderName, SwitchAction } from "#domain/enums";
import type { Address, Answer, HubAddress, Priority } from "../provider";
import type { Client } from "./client";
import { clean } from "./redact";
import { failed, type Heard } from "./parse-response";
import { maskOf, payloadFor, isSwitchable } from "./payload";
import type { Account, Bounds } from "./session";
import { readState } from "./state";
import { targetOf } from "./target";

export type Call = { until: number; priority: Priority; cached_since: number | null };

/** The account to call and what it is called in sentences; or why there is none, which needs no network to say. */
export type Reached = { ok: true; account: Account; name: string; hint?: string } | { ok: false; detail: string };

/** One real way to the hardware. It never throws and never outlasts `until`. */
export type Way = {
  switch: (address: Address, action: SwitchAction, call: Call) => Promise<Answer>;
  read: (address: Address, call: Call) => Promise<Answer>;
  ping: (hub: HubAddress, call: Call) => Promise<Answer>;
};

export type WayDeps = {
  side: "cloud" | "local";
  client: Client;
  now: () => number;
  reach: (hub: HubAddress | null) => Promise<Reached>;
  spend: (account: Account, device: string | null, priority: Priority) => ReturnType<Bounds["spend"]>;
  /** Told of every refusal for a limit, so that nobody asks again too soon. */
  rest: (account: Account, device: string, heard: Heard & { ok: false }) => void;
  ping: (account: Account, hub: HubAddress, bounds: Bounds) => Promise<Heard>;
  /** Whether the far end remembers states that are worth asking for. */
  remembers: boolean;
};

/** A mains lamp reports at least every 70 minutes; what it said before that is no news (yolink.md 5). */
const REMEMBERED_MS = 70 * 60_000;

/** Switching and reading by the vendor's protocol; the cloud and a hub differ only in `deps`. */
export function yolinkWay(deps: WayDeps): Way {
  const { side, client, now } = deps;

  /** Finds the account and the lamp, asks, and tells the answer. */
  async function device(
    address: Address,
    call: Call,
    ask: (account: Account, id: string, mask: number, bounds: Bounds) => Promise<{ heard: Heard; state: DeviceState }>,
  ): Promise<Answer> {
    const began = now();
    const reached = await deps.reach(address.hub);
    if (!reached.ok) return tell(side, failed("refused", reached.detail), "unknown", 0);
    const target = targetOf(address, side);
    if (!target.ok) return tell(side, failed("refused", target.detail), "unknown", 0);
    const { account } = reached;
    const { heard, state } = await ask(account, target.device, target.mask, boundsOf(account, call));
    if (!heard.ok && heard.code !== null) deps.rest(account, target.device, heard);
    return tell(side, heard, state, now() - began, reached);
  }

  function boundsOf(account: Account, { until, priority }: Call): Bounds {
    return { until, spend: (device) => deps.spend(account, device, priority) };
  }

  return {
    switch: (address, action, call) =>
      device(address, call, async (account, id, mask, bounds) => {
        const heard = await client.ask(account, id, ({ type }) => payloadFor(action, type, address, mask), bounds);
        return { heard, state: action };
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
        const state = (heard: Heard) => (heard.ok ? readState(heard.data, counted) : "unknown");
        if (deps.remembers && call.cached_since !== null) {
          const heard = await asked("fetchState");
          if (!heard.ok || isNews(heard.data, call.cached_since, now())) return { heard, state: state(heard) };
        }
        const heard = await asked("getState");
        return { heard, state: state(heard) };
      }),

    ping: async (hub, call) => {
      const began = now();
      const reached = await deps.reach(hub);
      if (!reached.ok) return tell(side, failed("refused", reached.detail), "unknown", 0);
      const { account } = reached;
      const heard = await deps.ping(account, hub, boundsOf(account, call));
      if (!heard.ok && heard.code !== null) deps.rest(account, hub.id, heard);
      return tell(side, heard, "unknown", now() - began, reached);
    },
  };
}

/** A remembered state counts if the device is in touch and reported after `since`, and not too long ago. */
function isNews(data: Record<string, unknown>, since: number, now: number): boolean {
  const reported_at = Date.parse(String(data.reportAt));
  return data.online !== false && reported_at > since && reported_at > now - REMEMBERED_MS;
}

function tell(
  provider: ProviderName,
  heard: Heard,
  state: DeviceState,
  rtt_ms: number,
  reached?: { name: string; hint?: string },
): Answer {
  const told = { provider, http_status: heard.status, rtt_ms };
  if (heard.ok) {
    const words = [heard.code, clean(heard.desc), state === "unknown" ? "" : state].filter(Boolean).join(" ");
    return { ok: true, state, ...told, snippet: `${provider}: ${words}` };
  }
  const { reason, code, retry_after_ms, limit } = heard;
  const isSilent = reason === "unreachable" || reason === "timeout";
  const hint = isSilent && code === null && reached?.hint ? ` (${reached.hint})` : "";
  const detail = `${reached ? `${reached.name}: ` : ""}${heard.detail}${hint}`;
  const snippet = [`${provider}:`, code, heard.detail].filter(Boolean).join(" ").slice(0, 200);
  return { ok: false, reason, detail, retry_after_ms, limit, ...told, snippet };
}
