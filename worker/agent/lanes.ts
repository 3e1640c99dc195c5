/** What waits for a hub, the first before the last. */
const RANKS = ["off", "on", "read", "later"] as const;
export type Rank = (typeof RANKS)[number];

type Job = { rank: Rank; begin: () => Promise<void> };

/** One call of a hub at a time, since its radio has one channel; hubs do not wait for each other. */
export class Lanes {
  readonly #waiting = new Map<string, Job[]>();
  #n = 0;

  /** How many jobs are under way or waiting. */
  get size(): number {
    return this.#n;
  }

  /** Begins the job when the hub is free; of those that wait, OFF comes first. Settles as the job does. */
  run<T>(hub: string, rank: Rank, job: () => Promise<T>): Promise<T> {
    this.#n += 1;
    return new Promise((resolve, reject) => {
      const begin = () => job().then(resolve, reject);
      const waiting = this.#waiting.get(hub);
      if (waiting) waiting.push({ rank, begin });
      else void this.#serve(hub, { rank, begin });
    });
  }

  async #serve(hub: string, first: Job): Promise<void> {
    const waiting: Job[] = [first];
    this.#waiting.set(hub, waiting);
    for (let job = next(waiting); job; job = next(waiting)) {
      await job.begin();
      this.#n -= 1;
    }
    this.#waiting.delete(hub);
  }
}

function next(waiting: Job[]): Job | undefined {
  for (const rank of RANKS) {
    const at = waiting.findIndex((job) => job.rank === rank);
    if (at !== -1) return waiting.splice(at, 1)[0];
  }
  return undefined;
}
