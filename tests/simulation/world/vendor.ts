import type { ProviderMode, SwitchAction } from "#domain/enums";
import type { Provider, ProviderResult } from "#durable/providers/provider";
import { selectProviders } from "#durable/providers/select";
import { agentName } from "#durable/state/agent-links";
import { settingsOf } from "#durable/state/plan";
import type { Equip } from "#tests/support/engine";
import { Lamp } from "#tests/yolink/lamp";
import type { Fault } from "#tests/yolink/packets";
import { postTo } from "#tests/yolink/post";
import { Simulator } from "#tests/yolink/simulator";
import { Lamps, type Call } from "./lamps";

/** Longer than this nobody waits for a call. */
const CALL_MS = 8_500;

/** A lamp that tells when it is switched. */
class WatchedLamp extends Lamp {
  constructor(
    id: string,
    hub: string | null,
    readonly switched: (state: SwitchAction) => void,
  ) {
    super(id, id, "Switch", hub);
  }

  override obey(params: Record<string, unknown>, now: number): void {
    super.obey(params, now);
    this.switched(this.isLit ? "on" : "off");
  }
}

/**
 * The same city on the vendor's hardware: the real providers speak its protocol with the simulator of its cloud and hubs,
 * on the world's clock. What the engine asks of a provider is what the oracle sees leave.
 */
export class VendorLamps extends Lamps {
  readonly simulator: Simulator;
  readonly #calls = new Map<string, Call>();
  /** The process that lives; of an older one nothing leaves any more. */
  #process = 0;
  #hubs = new Map<string, string>();

  constructor(readonly mode: Exclude<ProviderMode, "mock">) {
    super();
    const now = () => this.world?.now ?? 0;
    const wait = (ms: number) => new Promise<void>((done) => this.world?.outside(ms, done));
    this.simulator = new Simulator({ now, wait, random: () => 0, scale: 1.25 });
    const { simulator } = this;
    this.lit = {
      has: (id) => simulator.lamps.get(id)?.isLit ?? false,
      add: (id) => simulator.lamps.get(id)?.turn(true, now()),
      delete: (id) => simulator.lamps.get(id)?.turn(false, now()),
    };
    const { limits } = simulator;
    const count = limits.count.bind(limits);
    limits.count = (device, at) => {
      const refusal = count(device, at);
      if (refusal !== null) this.onlooker?.overrun(device);
      return refusal;
    };
  }

  override equip: Equip = (sql, now, after, agents) => {
    this.#process += 1;
    const process = this.#process;
    const doorOf = (base: string) => this.#hubs.get(base.replace(/^http:\/\/|:\d+$/g, "")) ?? "cloud";
    const plain = postTo(this.simulator, doorOf, after);
    const isGone = () => process !== this.#process;
    const unseal = (sealed: string) => Promise.resolve(sealed);
    const providers = selectProviders(
      {
        sql,
        now,
        after,
        settings: () => settingsOf(sql),
        agents,
        nameOf: (agent_id) => agentName(sql, agent_id, now()),
      },
      {
        settings_key: "",
        demo: false,
        direct_hubs: true,
        // Nobody hears in a process that is gone.
        post: async (request, limits) => {
          const reply = isGone() ? await new Promise<never>(() => undefined) : await plain(request, limits);
          return isGone() ? new Promise<never>(() => undefined) : reply;
        },
        seal: unseal,
        unseal,
      },
    );
    return (mode) => this.#watched(providers(mode));
  };

  /** The records have changed: hubs and lamps are put up where they say. */
  override install(
    hubs: Iterable<{ id: string; ip: string }>,
    devices: Iterable<{ lamp: string; hub: string | null }>,
  ): void {
    for (const { id, ip } of hubs) {
      if (!this.simulator.hubs.has(id)) this.simulator.addHub(id, id, ip);
      this.#hubs.set(ip, id);
    }
    for (const { lamp, hub } of devices) {
      const known = this.simulator.lamps.get(lamp);
      if (known?.hub === hub) continue;
      const made = new WatchedLamp(lamp, hub, (state) => this.#switched(lamp, state));
      made.turn(known?.isLit ?? false, this.world?.now ?? 0);
      this.simulator.lamps.set(lamp, made);
    }
  }

  /** In local mode a lamp without a hub is reached by nobody. */
  override isWell(lamp: string, hub: string | null): boolean {
    const isReached = this.reachedBy() !== "local" || hub !== null;
    if (hub !== null && !this.isLetIn(hub)) return false;
    return isReached && !this.troubles.has("cloud") && super.isWell(lamp, hub);
  }

  /** Makes the simulator do what the troubles say. */
  override setFaults(of: string, faults: Fault[]): void {
    this.simulator.fault(of.replace(/^(lamp|hub):/, ""), ...faults);
  }

  override takeDown(lamp: string): void {
    super.takeDown(lamp);
    this.simulator.fault(lamp, { kind: "offline" });
  }

  #watched(real: Provider): Provider {
    const ask = (call: Pick<Call, "what" | "lamp" | "hub" | "action">, answer: () => Promise<ProviderResult>) => {
      const { world } = this;
      if (!world) throw new Error("the lamps are in no world");
      const isTroubled = () => !this.isWell(call.lamp ?? "", call.hub);
      const whole: Call = { ...call, began: world.now, isTroubled: isTroubled() };
      if (call.lamp !== null && call.action !== null) this.#calls.set(call.lamp, whole);
      this.onlooker?.called(whole);
      return world.deliver(answer(), (told) => {
        whole.isTroubled ||= isTroubled();
        this.onlooker?.heard(whole, told);
      });
    };
    return {
      ...real,
      switch: (address, action, ...more) =>
        ask({ what: "switch", lamp: address.lamp, hub: address.hub?.id ?? null, action }, () =>
          real.switch(address, action, ...more),
        ),
      read: (address, ...more) =>
        ask({ what: "read", lamp: address.lamp, hub: address.hub?.id ?? null, action: null }, () =>
          real.read(address, ...more),
        ),
      ping: (hub, mode, timeout_ms, how) =>
        // What the cloud is asked by way of a hub is asked beside the hub's own calls, and says nothing of it.
        ask({ what: "ping", lamp: null, hub: how.via === "cloud" ? null : hub.id, action: null }, () =>
          real.ping(hub, mode, timeout_ms, how),
        ),
    };
  }

  #switched(lamp: string, state: SwitchAction): void {
    const call = this.#calls.get(lamp);
    const isLate = !call || call.action !== state || (this.world?.now ?? 0) - call.began > CALL_MS;
    if (call) this.onlooker?.switched(lamp, state, isLate ? { ...call, began: -Infinity } : call);
  }
}
