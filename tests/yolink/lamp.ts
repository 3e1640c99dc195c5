export type LampType = "Outlet" | "Switch" | "MultiOutlet" | "Dimmer";

/** A lamp at its pole, in the vendor's shapes (yolink.md 4). */
export class Lamp {
  brightness = 100;
  reported_at = 0;
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

  /** The short answer of setState. */
  short(): Record<string, unknown> {
    const dimmed = this.type === "Dimmer" ? { brightness: this.isLit ? this.brightness : 0 } : {};
    return { state: this.#word(), ...dimmed, loraInfo: { signal: -71, gatewayId: "d88b4c1603000001", gateways: 1 } };
  }

  /** The long answer of getState. */
  long(): Record<string, unknown> {
    const delay =
      this.type === "MultiOutlet" ? { delays: [{ ch: 1, on: 0, off: 0 }] } : { delay: { ch: 1, on: 0, off: 0 } };
    return { ...this.short(), ...delay, power: this.isLit ? 57 : 0, watt: 0, version: "040c", tz: -8 };
  }

  /** The nested answer of fetchState: what the server remembers. */
  remembered(online: boolean): Record<string, unknown> {
    if (this.reported_at === 0) return { online, deviceId: this.id };
    const { loraInfo: _, ...state } = this.long();
    return { online, reportAt: new Date(this.reported_at).toISOString(), deviceId: this.id, state };
  }

  #word(): string | string[] {
    const words = this.#sockets.map((isOn) => (isOn ? "open" : "closed"));
    return this.type === "MultiOutlet" ? words : (words[0] ?? "closed");
  }
}
