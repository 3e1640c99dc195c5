import type { AgentReading, FromAgent } from "#domain/agent/frames";
import type { Means } from "./means";

const EVERY_MS = 1_000;
const MOST_EACH = 500;

/** What was read without being asked for: the latest of each device, in one frame a second. */
export class Readings {
  readonly #waiting = new Map<string, AgentReading>();
  #isDue = false;

  constructor(
    private readonly means: Means,
    private readonly send: (frame: FromAgent) => boolean,
  ) {}

  add(reading: AgentReading): void {
    this.#waiting.set(reading.device, reading);
    if (this.#isDue) return;
    this.#isDue = true;
    this.means.after(EVERY_MS, () => this.#flush());
  }

  /** Tells what waits before the city hears of a new plan, by which a light may have another lamp than was read. */
  tellNow(): void {
    while (this.#waiting.size > 0) this.#send();
  }

  #flush(): void {
    this.#isDue = false;
    if (this.#waiting.size === 0) return;
    this.#send();
    const [next] = this.#waiting.values();
    if (next) this.add(next);
  }

  #send(): void {
    const states = [...this.#waiting.values()].slice(0, MOST_EACH);
    // Where the line is cut nobody needs them: who comes back is asked for them anew.
    this.send({ type: "states", states });
    for (const { device } of states) this.#waiting.delete(device);
  }
}
