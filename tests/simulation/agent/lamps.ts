import type { SwitchAction } from "#domain/enums";

type By = "city" | "agent" | "hand" | "timer";
type Change = { at: number; action: SwitchAction; by: By };

/** The lamps of a park as they are, whatever anybody believes of them, with what happened to each. */
export class Lamps {
  areHubsUp = true;
  /** Since when all hubs answer. */
  up_since = 0;
  /** Of all that was ever switched. */
  digest = 0;
  readonly #changes = new Map<string, Change[]>();
  /** When each lit lamp puts itself out. */
  readonly #timers = new Map<string, number>();
  /** Told when a lamp has put itself out, and when that was. */
  rang = (_device: string, _at: number): void => {};

  constructor(readonly now: () => number) {}

  setHubs(isUp: boolean): void {
    this.areHubsUp = isUp;
    if (isUp) this.up_since = this.now();
  }

  state(device: string): SwitchAction {
    return this.last(device)?.action ?? "off";
  }

  last(device: string): Change | null {
    return this.#upToNow(device).at(-1) ?? null;
  }

  /** `off_after_min`: its own timer is set anew; an ON without one leaves the timer that runs. */
  switch(device: string, action: SwitchAction, by: By, off_after_min: number | null = null): void {
    const state = this.state(device);
    if (off_after_min !== null) this.#timers.set(device, this.now() + off_after_min * 60_000);
    if (action === "off") this.#timers.delete(device);
    // What is switched to what it is already is nobody's doing.
    if (state !== action) this.#note(device, { at: this.now(), action, by });
  }

  /** What happened to the lamp, also by itself. */
  #upToNow(device: string): Change[] {
    const at = this.#timers.get(device) ?? Infinity;
    if (at <= this.now()) {
      this.#timers.delete(device);
      this.#note(device, { at, action: "off", by: "timer" });
      this.rang(device, at);
    }
    return this.#changes.get(device) ?? [];
  }

  #note(device: string, change: Change): void {
    const known = this.#changes.get(device) ?? [];
    this.#changes.set(device, [...known.slice(-200), change]);
    for (const char of `${change.at} ${device} ${change.action} ${change.by}`)
      this.digest = (Math.imul(this.digest, 31) + char.charCodeAt(0)) | 0;
  }

  touchedSince(device: string, at: number): boolean {
    return (this.#changes.get(device) ?? []).some((change) => change.by === "hand" && change.at >= at);
  }

  wasSwitchedOnIn(device: string, start: number, end: number): boolean {
    return (this.#changes.get(device) ?? []).some(
      ({ at, action, by }) => action === "on" && by !== "hand" && at >= start && at < end,
    );
  }

  /** Whether it was lit for a minute within a span, not by a hand. */
  wasLitIn(device: string, start: number, end: number): boolean {
    const changes = this.#upToNow(device);
    return changes.some(({ at, action, by }, n) => {
      const until = changes[n + 1]?.at ?? this.now();
      return action === "on" && by !== "hand" && Math.min(until, end) - Math.max(at, start) >= 60_000;
    });
  }
}
