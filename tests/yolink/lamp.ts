export type LampType = "Outlet" | "Switch" | "MultiOutlet" | "Dimmer";

export const LAMP_TYPES: LampType[] = ["Switch", "Outlet", "MultiOutlet", "Dimmer"];

/** The sockets of a model and the ones with a delay; a power strip's socket 0 is its USB bank, which has none. */
const MODELS: Record<string, { sockets: number; delayed: number[] }> = {
  "YS6604-UC": { sockets: 1, delayed: [1] },
  "YS5706-UC": { sockets: 1, delayed: [1] },
  "YS5707-UC": { sockets: 1, delayed: [1] },
  "YS6802-UC": { sockets: 2, delayed: [0, 1] },
  "YS6801-UC": { sockets: 5, delayed: [1, 2, 3, 4] },
};

const MODEL_OF: Record<LampType, string> = {
  Outlet: "YS6604-UC",
  Switch: "YS5706-UC",
  MultiOutlet: "YS6802-UC",
  Dimmer: "YS5707-UC",
};

/** A MultiOutlet always reports this many sockets, even if it has fewer. */
const WORDS = 8;
const NEVER: Delay = { on_at: null, off_at: null };

type Delay = { on_at: number | null; off_at: number | null };

/** A lamp that answers in the vendor's formats. */
export class Lamp {
  brightness = 100;
  reported_at = 0;
  readonly #delays = new Map<number, Delay>();
  #sockets: boolean[];

  constructor(
    readonly id: string,
    readonly name: string,
    readonly type: LampType,
    readonly hub: string | null,
    readonly model: string = MODEL_OF[type],
  ) {
    this.#sockets = Array.from({ length: this.#build.sockets }, () => false);
  }

  get isLit(): boolean {
    return this.#sockets.some(Boolean);
  }

  /** A dimmer's brightness or the state of each socket, for the page. */
  get detail(): string {
    if (this.type === "Dimmer") return this.isLit ? `${this.brightness} %` : "";
    if (this.type !== "MultiOutlet") return "";
    return this.#sockets.map((isOn, i) => `socket ${i} ${isOn ? "on" : "off"}`).join(", ");
  }

  /** Switches by hand at the pole or by a command; ignores sockets in `mask` that the device does not have. */
  turn(isOn: boolean, now: number, mask = 0xff): void {
    this.#sockets = this.#sockets.map((was, i) => (mask & (1 << i) ? isOn : was));
    this.reported_at = now;
  }

  /** As the real devices do: every state but exactly `open` is off. */
  obey(params: Record<string, unknown>, now: number): void {
    const mask = this.type === "MultiOutlet" ? Number(params.chs) || 0xff : 0xff;
    this.turn(params.state === "open", now, mask);
    if (this.type === "Dimmer" && typeof params.brightness === "number") this.brightness = params.brightness;
  }

  /** Minutes until socket `ch` switches by itself; 0 is never. */
  delay(ch: number, on_min: number, off_min: number, now: number): void {
    const at = (min: number) => (min > 0 ? now + min * 60_000 : null);
    this.#delays.set(ch, { on_at: at(on_min), off_at: at(off_min) });
  }

  /** Switches the sockets whose delay has passed. */
  elapse(now: number): void {
    for (const [ch, delay] of this.#delays) {
      const mask = this.type === "MultiOutlet" ? 1 << ch : 0xff;
      if (delay.on_at !== null && delay.on_at <= now) this.turn(true, delay.on_at, mask);
      if (delay.off_at !== null && delay.off_at <= now) this.turn(false, delay.off_at, mask);
      const left = (at: number | null) => (at !== null && at > now ? at : null);
      this.#delays.set(ch, { on_at: left(delay.on_at), off_at: left(delay.off_at) });
    }
  }

  /** The whole minutes left of each socket's delay. */
  delays(now: number): Record<string, unknown> {
    const left = (at: number | null) => (at === null ? 0 : Math.ceil((at - now) / 60_000));
    const rows = this.#build.delayed.map((ch) => {
      const { on_at, off_at } = this.#delays.get(ch) ?? NEVER;
      return { ch, on: left(on_at), off: left(off_at) };
    });
    return this.type === "MultiOutlet" ? { delays: rows } : { delay: rows[0] };
  }

  /** The brief answer to setState. */
  short(): Record<string, unknown> {
    const dimmed = this.type === "Dimmer" ? { brightness: this.isLit ? this.brightness : 0 } : {};
    return { state: this.#word(), ...dimmed, loraInfo: { signal: -71, gatewayId: "d88b4c1603000001", gateways: 1 } };
  }

  /** The full answer to getState. */
  long(now: number): Record<string, unknown> {
    const dimmer = {
      deviceAttributes: { gradient: { on: 1, off: 1 }, led: { status: "on", level: 1 }, calibration: 1 },
    };
    return {
      ...this.short(),
      ...this.delays(now),
      ...(this.type === "Dimmer" ? dimmer : { power: this.isLit ? 57 : 0, watt: 0 }),
      version: "040c",
      time: new Date(now).toISOString(),
      tz: -8,
    };
  }

  /** The nested answer to fetchState: the state that the cloud cached. */
  remembered(online: boolean, now: number): Record<string, unknown> {
    if (this.reported_at === 0) return { online, deviceId: this.id };
    const { loraInfo: _, ...state } = this.long(now);
    return { online, reportAt: new Date(this.reported_at).toISOString(), deviceId: this.id, state };
  }

  get #build(): { sockets: number; delayed: number[] } {
    const build = MODELS[this.model];
    if (!build) throw new Error(`unknown model: ${this.model}`);
    return build;
  }

  #word(): string | string[] {
    const word = (isOn: boolean | undefined) => (isOn ? "open" : "closed");
    if (this.type !== "MultiOutlet") return word(this.#sockets[0]);
    return Array.from({ length: WORDS }, (_, i) => word(this.#sockets[i]));
  }
}
