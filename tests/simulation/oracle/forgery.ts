import type { SwitchAction, ToggleAction } from "#domain/enums";
import type { FailureReason, ProviderResult } from "#durable/providers/provider";
import type { World } from "#tests/support/engine";
import { Lamps, type Call, type Onlooker } from "#tests/simulation/world/lamps";
import type { City } from "./city";
import { Oracle } from "./oracle";
import type { Toggle } from "./toggles";

type HowSwitched = {
  isLost?: boolean;
  failed?: "refused" | "throttled";
  retry_after_ms?: number;
  lamp?: string;
  hub?: string;
};
type MoreAsked = { until?: number | null; isEmergency?: boolean; device?: string };

/** An engine that does nothing, and a log that is forged beside it. */
export class Forgery {
  readonly lamps = new Lamps();
  readonly oracle: Oracle;
  #n = 0;

  constructor(
    readonly world: World,
    readonly city: City,
  ) {
    this.oracle = new Oracle(world, this.lamps, city);
    this.learn(city);
  }

  learn(city: City): void {
    this.oracle.committedToD1(city);
    this.world.watch.acts("hint");
  }

  /** Time goes by, and the oracle looks. */
  wait(ms: number): void {
    this.world.now += ms;
    this.oracle.check();
  }

  /** Who watches the lamps. */
  watching(): Onlooker {
    if (!this.lamps.onlooker) throw new Error("nobody watches");
    return this.lamps.onlooker;
  }

  /** The alarm comes, and the engine evaluates what is due. */
  wake(at: number): void {
    this.world.now = at;
    this.world.watch.acts("alarm");
  }

  /** The engine has evaluated the light. */
  evaluate(at: number): void {
    this.world.storage.sql.exec("INSERT OR REPLACE INTO device_memory (device_id, reconciled_at) VALUES ('d', ?)", at);
  }

  /** Somebody toggles; `until` is when it ends by itself. */
  toggle(action: ToggleAction, { until = null, isEmergency = false, device = "d" }: MoreAsked = {}): Toggle {
    const asked = { action, until, isEmergency };
    this.oracle.toggles(device, asked);
    return asked;
  }

  /** The light's toggle is answered, at once. */
  answer(asked: Toggle, success: boolean, detail: string | null = null): void {
    this.oracle.toggled("d", asked, this.world.now, { success, detail });
    this.oracle.check();
  }

  /** A switch that is answered, or of which nothing is heard (`isLost`), or that does not reach the lamp. */
  switch(action: SwitchAction, { isLost = false, failed, retry_after_ms, lamp = "lamp", hub }: HowSwitched = {}): void {
    const call: Call = { what: "switch", lamp, action, hub: hub ?? null, began: this.world.now, isTroubled: false };
    const reason = failed ?? (isLost ? "timeout" : null);
    this.#call(call, reason ? this.#failed(reason, retry_after_ms) : this.#said(action));
    if (reason) return;
    if (action === "on") this.lamps.lit.add(lamp);
    else this.lamps.lit.delete(lamp);
  }

  read(state: SwitchAction, lamp = "lamp", hub: string | null = null): void {
    const call: Call = { what: "read", lamp, action: null, hub, began: this.world.now, isTroubled: false };
    this.#call(call, this.#said(state));
  }

  /** The hub answers for itself. */
  ping(hub: string): void {
    const call: Call = { what: "ping", lamp: null, action: null, hub, began: this.world.now, isTroubled: false };
    this.#call(call, this.#said("on"));
  }

  #call(call: Call, answer: ProviderResult): void {
    this.lamps.onlooker?.called(call);
    this.lamps.onlooker?.heard(call, answer);
    this.oracle.check();
  }

  #said(state: SwitchAction): ProviderResult {
    return { ok: true, state, provider: "mock", http_status: 200, snippet: "", rtt_ms: 100 };
  }

  #failed(reason: FailureReason, retry_after_ms?: number): ProviderResult {
    const details = { provider: "mock" as const, http_status: null, snippet: "", rtt_ms: 100 };
    const later = retry_after_ms === undefined ? {} : { retry_after_ms };
    return { ok: false, reason, detail: "no answer", failures: [], ...details, ...later };
  }

  tell(more: Record<string, unknown>): void {
    this.#n += 1;
    const event = {
      id: `d:1:${this.#n}`,
      ts: "",
      device_id: "d",
      dept_id: "north",
      source: "manual",
      action: "on",
      result: "ok",
      attempts: 1,
      note: "",
      ...more,
    };
    this.#post("scheduler_event", event);
  }

  /** People are told of an incident, `device:d:1` of the light or `pending_off:d:1:1` of a lamp that it left. */
  message(incident: string): void {
    this.#post("notification", { id: incident, incident, kind: "device_failed" });
  }

  /** The engine writes down which call it hands out, and which plan it knows. */
  handOut(kind: "send" | "probe_switch", action: SwitchAction): void {
    const { sql } = this.world.storage;
    const body = JSON.stringify({ kind, action, address: { lamp: "lamp", hub: null } });
    sql.exec("INSERT INTO calls (id, device_id, hub, until, body) VALUES (1, 'd', 'lamp:lamp', 0, ?)", body);
    const { epoch, version } = this.oracle.desk.known;
    this.commit({ epoch, version: String(version) });
  }

  /** The engine writes down facts about itself, such as which plan it knows. */
  commit(facts: Record<string, string>): void {
    const { sql } = this.world.storage;
    for (const [key, value] of Object.entries(facts))
      sql.exec("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", key, value);
    this.world.watch.committed(false);
  }

  /** The process is gone, and another one is there. */
  die(): void {
    this.world.watch.died();
    this.world.watch.acts("alarm");
  }

  #post(kind: string, body: Record<string, unknown>): void {
    this.#n += 1;
    const insert = "INSERT INTO outbox (kind, key, body) VALUES (?, ?, ?)";
    this.world.storage.sql.exec(insert, kind, `${kind}:${this.#n}`, JSON.stringify(body));
    this.world.watch.committed(true);
    // Told at once: D1 has it.
    this.world.storage.sql.exec("DELETE FROM outbox");
    this.oracle.check();
  }
}
