import type { Address, ProviderResult, FailureReason, Provider } from "#durable/providers/provider";
import type { ProviderMode, SwitchAction } from "#domain/enums";
import type { Equip, World } from "#tests/support/engine";
import type { Fault } from "#tests/yolink/packets";

/** What can be wrong with a lamp or a hub. */
export type Trouble =
  /** A hub off the net, or a lamp without a radio: the hub says so. */
  | { kind: "offline" }
  /** The next `n` calls fail as a busy radio does. */
  | { kind: "flaky"; n: number }
  /** Answers success, and stays as it is. */
  | { kind: "stuck" }
  /** Does what it is told, and the answer is lost. */
  | { kind: "drop" }
  /** Does and answers after `ms`; after the time-out the answer is lost, and it does it all the same. */
  | { kind: "slow"; ms: number }
  /** Cannot tell its own state. */
  | { kind: "blind" }
  /** Of the vendor's hardware: whatever else its protocol knows, and its simulator can do. */
  | { kind: "vendor"; faults: Fault[] };

export type Call = {
  what: "switch" | "read" | "ping";
  /** Null for a ping. */
  lamp: string | null;
  hub: string | null;
  action: SwitchAction | null;
  began: number;
  /** Whether this call met a fault, whatever it was answered. */
  isTroubled: boolean;
};

/** Which lamps burn. */
type Lit = { has: (lamp: string) => boolean; add: (lamp: string) => unknown; delete: (lamp: string) => unknown };

export type Onlooker = {
  /** More calls came than the vendor allows. Device null: for the account. */
  overrun: (device: string | null) => void;
  called: (call: Call) => void;
  switched: (lamp: string, state: SwitchAction, call: Call) => void;
  heard: (call: Call, answer: ProviderResult) => void;
};

const LATENCY_MS = 120;

// What is wrong is asked of every light at every event: that a name is put together once is a twentieth of a life's time.
const lampsName = named("lamp");
const hubsName = named("hub");

function named(kind: "lamp" | "hub"): (id: string | null) => string {
  const known = new Map<string | null, string>();
  return (id) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const name = `${kind}:${id}`;
    known.set(id, name);
    return name;
  };
}

/** The physical lamps and hubs of the simulated city. They know nothing of the engine, and outlive its process. */
export class Lamps {
  lit: Lit = new Set<string>();
  readonly troubles = new Map<string, Trouble>();
  /** Lamps that were taken down: nothing answers for them any more, and nothing burns. */
  readonly gone = new Set<string>();
  world: World | null = null;
  onlooker: Onlooker | null = null;

  /** `mock`: what answers are the lamps themselves; other modes have the vendor's protocol in between. */
  readonly mode: ProviderMode = "mock";

  /** The way by which the engine reaches them by now. */
  reachedBy: () => ProviderMode = () => this.mode;

  /** Whether a hub lets the engine in by what that knows of it. */
  isLetIn: (hub: string) => boolean = () => true;

  equip: Equip = () => () => this.provider();

  /** The records have changed. */
  install(
    _hubs: Iterable<{ id: string; ip: string }>,
    _devices: Iterable<{ lamp: string; hub: string | null }>,
  ): void {}

  setFaults(_of: string, _faults: Fault[]): void {}

  provider(): Provider {
    return {
      switch: (address, action, timeout_ms) => this.#ask("switch", address, action, timeout_ms),
      read: (address, timeout_ms) => this.#ask("read", address, null, timeout_ms),
      ping: (hub, _mode, timeout_ms) => this.#ask("ping", { lamp: null, hub }, null, timeout_ms),
      list: async () => ({ ok: true, devices: [] }),
    };
  }

  takeDown(lamp: string): void {
    this.gone.add(lamp);
    this.lit.delete(lamp);
  }

  isWell(lamp: string, hub: string | null): boolean {
    if (this.gone.has(lamp)) return false;
    return this.troubles.size === 0 || (!this.troubles.has(lampsName(lamp)) && !this.troubles.has(hubsName(hub)));
  }

  #ask(
    what: Call["what"],
    { lamp, hub }: Pick<Address, "hub"> & { lamp: string | null },
    action: SwitchAction | null,
    timeout_ms: number,
  ): Promise<ProviderResult> {
    const { world } = this;
    if (!world) throw new Error("the lamps are in no world");
    const call: Call = { what, lamp, hub: hub?.id ?? null, action, began: world.now, isTroubled: false };
    this.onlooker?.called(call);
    return world.deliver(this.#answer(world, call, timeout_ms), (answer) => this.onlooker?.heard(call, answer));
  }

  async #answer(world: World, call: Call, timeout_ms: number): Promise<ProviderResult> {
    const { lamp, action } = call;
    const own = this.troubles.get(`lamp:${lamp}`);
    const hubs = this.troubles.get(`hub:${call.hub}`);
    const has = (kind: Trouble["kind"]) => own?.kind === kind || hubs?.kind === kind;
    const isGone = lamp !== null && this.gone.has(lamp);
    call.isTroubled = own !== undefined || hubs !== undefined || isGone;
    const latency = Math.max(LATENCY_MS, ...[own, hubs].map((t) => (t?.kind === "slow" ? t.ms : 0)));
    const wait = (ms: number) => new Promise<void>((done) => world.outside(ms, done));
    const failed = (reason: FailureReason): ProviderResult => ({
      ok: false,
      reason,
      failures: [{ where: reason === "device" ? "device" : "hub", reason }],
      detail: `simulated: ${reason}`,
      snippet: `simulated: ${reason}`,
      provider: "mock",
      http_status: null,
      rtt_ms: world.now - call.began,
    });

    if (hubs?.kind === "offline") {
      // Half of the dead hubs refuse at once; the others say nothing.
      const isSilent = (call.hub ?? "").length % 2 === 0;
      await wait(isSilent ? timeout_ms : LATENCY_MS);
      return failed(isSilent ? "timeout" : "unreachable");
    }
    const busy = [own, hubs].find((t) => t?.kind === "flaky");
    if (busy?.kind === "flaky" && (busy.n -= 1) <= 0) {
      for (const key of [`lamp:${lamp}`, `hub:${call.hub}`]) {
        if (this.troubles.get(key) === busy) this.troubles.delete(key);
      }
    }
    if (busy || isGone || own?.kind === "offline") {
      await wait(Math.min(latency, timeout_ms));
      return failed("device");
    }
    if (latency > timeout_ms) {
      if (lamp !== null && action !== null) world.outside(latency, () => this.#act(lamp, action, call));
      await wait(timeout_ms);
      return failed("timeout");
    }
    await wait(latency);
    if (lamp !== null && action !== null && !has("stuck")) this.#act(lamp, action, call);
    if (has("drop") && action !== null) {
      await wait(timeout_ms - latency);
      return failed("timeout");
    }
    const seen = lamp === null || has("blind") ? "unknown" : this.lit.has(lamp) ? "on" : "off";
    const told = { provider: "mock" as const, http_status: 200, rtt_ms: world.now - call.began };
    return { ok: true, state: action ?? seen, snippet: `simulated: ${action ?? seen}`, ...told };
  }

  #act(lamp: string, action: SwitchAction, call: Call): void {
    if (action === "on") this.lit.add(lamp);
    else this.lit.delete(lamp);
    this.onlooker?.switched(lamp, action, call);
  }
}
