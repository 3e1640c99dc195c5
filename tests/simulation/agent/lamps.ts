import type { SwitchAction } from "#domain/enums";

type By = "city" | "agent" | "hand";
type Change = { at: number; action: SwitchAction; by: By };

/** The lamps of a park as they are, whatever anybody believes of them, with what happened to each. */
export class Lamps {
  areHubsUp = true;
  /** Since when all hubs answer. */
  up_since = 0;
  readonly #changes = new Map<string, Change[]>();

  constructor(readonly now: () => number) {}

  setHubs(isUp: boolean): void {
    this.areHubsUp = isUp;
    if (isUp) this.up_since = this.now();
  }

  state(device: string): SwitchAction {
    return this.last(device)?.action ?? "off";
  }

  last(device: string): Change | null {
    return this.#changes.get(device)?.at(-1) ?? null;
  }

  switch(device: string, action: SwitchAction, by: By): void {
    // What is switched to what it is already is nobody's doing.
    if (this.state(device) === action) return;
    const known = this.#changes.get(device) ?? [];
    this.#changes.set(device, [...known.slice(-200), { at: this.now(), action, by }]);
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
    const changes = this.#changes.get(device) ?? [];
    return changes.some(({ at, action, by }, n) => {
      const until = changes[n + 1]?.at ?? this.now();
      return action === "on" && by !== "hand" && Math.min(until, end) - Math.max(at, start) >= 60_000;
    });
  }
}
