import { step, newAutonomy, type Act, type AgentEvent, type Autonomy } from "#domain/agent/autonomy";
import { cityClock, lonelyClock, timeAt, type SiteClock } from "#domain/agent/clock";
import type { AgentLogEntry } from "#domain/agent/frames";
import type { PlannedLamp, StandingPlan } from "#domain/agent/standing-plan";
import { plannedUntil } from "#domain/agent/wanted";

const TICK_MS = 1_000;
const PONG_EVERY_MS = 20_000;

export function aLamp(device: string, over: Partial<PlannedLamp> = {}): PlannedLamp {
  const address = {
    mode: "local" as const,
    lamp: device,
    cloud_device_id: null,
    local_ref: device,
    model: null,
    on_payload: null,
    off_payload: null,
  };
  return {
    device,
    hub: "h1",
    address,
    on: [],
    dark: [],
    max_on_ms: null,
    lit_by_us: false,
    has_off_timer: true,
    ...over,
  };
}

export function aPlan(lamps: PlannedLamp[], expires: number, rev = 1): StandingPlan {
  return { schema: 1, agent: "a1", rev, issued: 0, expires, lamps };
}

type Asked = Exclude<Act, { do: "log" }>;

/** A park with one agent, its lamps, and a city that does what the plan says while the line is up. Time is virtual. */
export class Park {
  /** The true time, epoch ms. */
  now = 0;
  /** The agent's monotonic clock begins anew with each of its starts. */
  #booted_at = 0;
  state: Autonomy;
  clock: SiteClock;
  isLineUp = true;
  areHubsUp = true;
  /** The agent's computer is off. */
  isOff = false;
  readonly lit = new Set<string>();
  readonly log: Omit<AgentLogEntry, "n">[] = [];
  /** What the agent did to the lamps: 'on a 18:00'. */
  readonly calls: {
    at: number;
    device: string;
    action: "on" | "off";
    off_after_min: number | null;
    done: boolean;
    isTrusted: boolean;
  }[] = [];
  latency_ms = 500;
  #waiting: { at: number; ask: Asked }[] = [];
  #heard_at = 0;
  #level = new Map<string, boolean>();

  constructor(readonly plan: StandingPlan) {
    this.clock = cityClock(0, 0);
    this.state = newAutonomy(this.time);
    this.#send({ type: "plan", plan });
    // As the line does with every welcome.
    this.#send({ type: "heard" });
    this.#send({ type: "linked" });
  }

  get time() {
    return timeAt(this.clock, this.now - this.#booted_at);
  }

  /** Lets time pass, second by second; `watch` sees each. */
  to(end: number, watch: () => void = () => undefined): this {
    while (this.now < end) {
      this.now = Math.min(this.now + TICK_MS, end);
      if (this.isLineUp) this.#city();
      if (!this.isOff) this.#tick();
      watch();
    }
    return this;
  }

  cut(): this {
    this.isLineUp = false;
    return this;
  }

  mend(): this {
    this.isLineUp = true;
    this.#welcome();
    return this;
  }

  hand(device: string, action: "on" | "off"): this {
    if (action === "on") this.lit.add(device);
    else this.lit.delete(device);
    return this;
  }

  crash(): this {
    this.isOff = true;
    this.#waiting = [];
    return this;
  }

  /** The computer starts again; `own` is its clock, by how much it is wrong, and whether network time has set it. */
  boot(own: { wrong_ms: number; isSynced: boolean }): this {
    this.isOff = false;
    const stored = this.time.at;
    const state: Autonomy = JSON.parse(JSON.stringify(this.state));
    this.#booted_at = this.now;
    this.clock = lonelyClock({ at: this.now + own.wrong_ms, isSynced: own.isSynced }, Math.min(stored, state.since), 0);
    this.state = state;
    this.#send({ type: "boot" });
    if (this.isLineUp) this.#welcome();
    return this;
  }

  #welcome(): void {
    if (this.isOff) return;
    this.clock = cityClock(this.now, this.now - this.#booted_at);
    this.#waiting = [];
    // As the line does with every welcome.
    this.#send({ type: "heard" });
    this.#send({ type: "linked" });
    this.#level.clear();
  }

  /** The city does at once what its plan says where that changes, or tries to, and says nothing of what it has no reason to. */
  #city(): void {
    if (this.isOff) return;
    for (const lamp of this.plan.lamps) {
      const isOn = plannedUntil(lamp, Infinity, this.now) !== null;
      if (!this.areHubsUp) {
        const isTried = isOn && !this.lit.has(lamp.device);
        if (isTried) this.#send({ type: "commanded", device: lamp.device, action: "on", isSent: false });
        continue;
      }
      const before = this.#level.get(lamp.device);
      this.#level.set(lamp.device, isOn);
      if (before === isOn || (before === undefined && isOn === this.lit.has(lamp.device))) continue;
      this.hand(lamp.device, isOn ? "on" : "off");
      this.#send({ type: "commanded", device: lamp.device, action: isOn ? "on" : "off", isSent: true });
      this.#send({ type: "read", device: lamp.device, state: isOn ? "on" : "off" });
    }
  }

  #tick(): void {
    if (this.isLineUp && this.now - this.#heard_at >= PONG_EVERY_MS) {
      this.#heard_at = this.now;
      this.#send({ type: "heard" });
    }
    const due = this.#waiting.filter(({ at }) => at <= this.now);
    this.#waiting = this.#waiting.filter(({ at }) => at > this.now);
    for (const { ask } of due) this.#answer(ask);
    this.#send({ type: "tick" });
  }

  #answer(ask: Asked): void {
    const { device } = ask.lamp;
    if (ask.do === "read") {
      const state = this.lit.has(device) ? "on" : "off";
      return this.#send({ type: "read", device, state: this.areHubsUp ? state : "unknown" });
    }
    const isLate = ask.not_after !== null && this.time.at >= ask.not_after;
    const done = this.areHubsUp && !isLate;
    const { action, off_after_min } = ask;
    this.calls.push({ at: this.now, device, action, off_after_min, done, isTrusted: this.time.isTrusted });
    if (done) this.hand(device, ask.action);
    this.#send({ type: "switched", device, isSent: done });
  }

  #send(event: AgentEvent): void {
    const { state, acts } = step(this.state, event, this.time);
    this.state = state;
    for (const act of acts) {
      if (act.do === "log") this.log.push(act.entry);
      else this.#waiting.push({ at: this.now + this.latency_ms, ask: act });
    }
  }
}
