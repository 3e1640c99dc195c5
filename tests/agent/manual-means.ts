import type { Means } from "#worker/agent/means";

/** A computer whose time goes on only when a test says so; its sockets are real. */
export class ManualMeans implements Means {
  at = 1_000_000;
  /** What the computer's own clock is wrong by. */
  wall_error_ms = 0;
  isSynced = false;
  /** Which start of the computer it is. */
  start = "first";
  readonly said: string[] = [];
  readonly #timers = new Map<number, { at: number; begin: () => void }>();
  #n = 0;

  #parts = 0;
  /** A real one never gives a whole number twice. */
  readonly mono = () => this.at + (this.#parts += 1 / 4_096);
  readonly wall = () => Date.UTC(2026, 10, 22, 20) + this.at + this.wall_error_ms;
  readonly isClockSet = () => Promise.resolve(this.isSynced);
  readonly started = () => Promise.resolve(this.start);
  readonly random = () => 0.5;
  readonly say = (line: string) => void this.said.push(line);
  readonly after = (ms: number, then: () => void) => {
    const n = (this.#n += 1);
    this.#timers.set(n, { at: this.at + ms, begin: then });
    return () => void this.#timers.delete(n);
  };

  get waiting(): number {
    return this.#timers.size;
  }

  /** Lets time pass; timers go off in their order, also those that they set. */
  pass(ms: number): void {
    const until = this.at + ms;
    for (;;) {
      const [n, first] = [...this.#timers].toSorted(([, a], [, b]) => a.at - b.at)[0] ?? [];
      if (n === undefined || !first || first.at > until) break;
      this.#timers.delete(n);
      this.at = Math.max(this.at, first.at);
      first.begin();
    }
    this.at = until;
  }
}
