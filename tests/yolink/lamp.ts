export type LampType = "Outlet" | "Switch" | "MultiOutlet" | "Dimmer";

export const MODELS: Record<LampType, string> = {
  Outlet: "YS6604-UC",
  Switch: "YS5706-UC",
  MultiOutlet: "YS6802-UC",
  Dimmer: "YS5707-UC",
};

type Delay = { on_at: number | null; off_at: number | null };

/** A lamp at its pole, in the vendor's shapes (yolink.md 4). */
export class Lamp {
  brightness = 100;
  reported_at = 0;
  #delays = new Map<number, Delay>();
  #sockets: boolean[] = Array.from({ length: 8 }, () => false);

  constructor(
    readonly id: string,
    readonly name: string,
    readonly type: LampType,
    readonly hub: string | null,
  ) {}

  get isLit(): boolean {
    return this.#sockets.some(Boolean);
  }

  /** Somebody's hand at the pole, or what a command does. */
  turn(isOn: boolean, now: number, mask = 0xff): void {
    this.#sockets = this.#sockets.map((was, i) => (mask & (1 << i) ? isOn : was));
    this.reported_at = now;
  }

  /** The trap of the real encoder: everything but exactly `open` is off (yolink.md 0.2). */
  obey(params: Record<string, unknown>, now: number): void {
    const mask = this.type === "MultiOutlet" ? Number(params.chs) || 0xff : 0xff;
    this.turn(params.state === "open", now, mask);
    if (this.type === "Dimmer" && typeof params.brightness === "number") this.brightness = params.brightness;
  }

  /** Minutes until socket `ch` switches by itself, whoever is there to ask for it; 0 is never (yolink.md 4.7). */
  delay(ch: number, on_min: number, off_min: number, now: number): void {
    const at = (min: number) => (min > 0 ? now + min * 60_000 : null);
    this.#delays.set(ch, { on_at: at(on_min), off_at: at(off_min) });
  }

  /** Does what its delays have come to. */
  elapse(now: number): void {
    for (const [ch, delay] of this.#delays) {
      const mask = this.type === "MultiOutlet" ? 1 << ch : 0xff;
      if (delay.on_at !== null && delay.on_at <= now) this.turn(true, delay.on_at, mask);
      if (delay.off_at !== null && delay.off_at <= now) this.turn(false, delay.off_at, mask);
      const left = (at: number | null) => (at !== null && at > now ? at : null);
      this.#delays.set(ch, { on_at: left(delay.on_at), off_at: left(delay.off_at) });
    }
  }

  /** What is left of the delays, in whole minutes. */
  delays(now: number): Record<string, unknown> {
    const left = (at: number | null | undefined) => (at ? Math.ceil((at - now) / 60_000) : 0);
    const rows = [...(this.#delays.size > 0 ? this.#delays : new Map<number, Delay>([[1, NEVER]]))].map(
      ([ch, { on_at, off_at }]) => ({ ch, on: left(on_at), off: left(off_at) }),
    );
    return this.type === "MultiOutlet" ? { delays: rows } : { delay: rows[0] };
  }

  /** The short answer of setState. */
  short(): Record<string, unknown> {
    const dimmed = this.type === "Dimmer" ? { brightness: this.isLit ? this.brightness : 0 } : {};
    return { state: this.#word(), ...dimmed, loraInfo: { signal: -71, gatewayId: "d88b4c1603000001", gateways: 1 } };
  }

  /** The long answer of getState. */
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

  /** The nested answer of fetchState: what the server remembers. */
  remembered(online: boolean, now: number): Record<string, unknown> {
    if (this.reported_at === 0) return { online, deviceId: this.id };
    const { loraInfo: _, ...state } = this.long(now);
    return { online, reportAt: new Date(this.reported_at).toISOString(), deviceId: this.id, state };
  }

  #word(): string | string[] {
    const words = this.#sockets.map((isOn) => (isOn ? "open" : "closed"));
    return this.type === "MultiOutlet" ? words : (words[0] ?? "closed");
  }
}

const NEVER: Delay = { on_at: null, off_at: null };
