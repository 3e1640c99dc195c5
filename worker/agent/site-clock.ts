import { join } from "node:path";
import { z } from "zod";
import { cityClock, lonelyClock, timeAt, type SiteClock } from "#domain/agent/clock";
import type { Now } from "#domain/agent/lamp-on-site";
import type { Means } from "./means";
import { KeptFile } from "./store/kept-file";

const kept = z.object({
  /** Which start of the computer `mono` counts from. */
  started: z.string().nullable(),
  mono: z.number(),
  at: z.number(),
  isTrusted: z.boolean(),
});

/**
 * What time it is by the city's clock. Once heard it is counted on by the monotonic clock, also by a later run of the
 * program, as long as the computer was not started anew.
 */
export class OnSiteClock {
  #clock: SiteClock;
  #stored = 0;
  #started: string | null = null;
  readonly #kept: KeptFile<z.infer<typeof kept>>;

  constructor(
    folder: string,
    private readonly means: Means,
  ) {
    this.#kept = new KeptFile(join(folder, "clock.json"), kept);
    this.#clock = { at: means.wall(), mono: means.mono(), isTrusted: false };
  }

  /** In whole ms, as frames have it. */
  get now(): Now {
    const now = timeAt(this.#clock, this.means.mono());
    return { ...now, at: Math.round(now.at) };
  }

  async restore(): Promise<void> {
    this.#started = await this.means.started();
    const before = await this.#kept.read();
    this.#stored = before?.at ?? 0;
    if (before && before.started !== null && before.started === this.#started && before.mono <= this.means.mono()) {
      this.#clock = { at: before.at, mono: before.mono, isTrusted: before.isTrusted };
    } else await this.askComputer();
  }

  /** The city has said what time it is, at a moment of the monotonic clock. */
  heard(at: number, mono: number): void {
    this.#clock = cityClock(at, mono);
  }

  /** Takes the computer's own clock where there is no better one: network time may come later than the start. */
  async askComputer(): Promise<void> {
    if (this.#clock.isTrusted) return;
    const isSynced = await this.means.isClockSet();
    if (this.#clock.isTrusted) return; // the city was heard meanwhile
    this.#clock = lonelyClock({ at: this.means.wall(), isSynced }, this.#stored, this.means.mono());
  }

  /** Rejects where the disk did not take it. */
  save(): Promise<void> {
    const { at, mono, isTrusted } = this.now;
    return this.#kept.save({ started: this.#started, mono, at, isTrusted });
  }
}
