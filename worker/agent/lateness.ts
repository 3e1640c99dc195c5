/** How far two clocks drift apart at most: a cheap crystal is off by 50 parts in a million, and hot ones by more. */
const DRIFT = 100 / 1_000_000;

/**
 * How long a frame was on its way, without trusting anybody's clock. A frame says when it left by the city's clock and
 * arrives at a moment of ours. The difference is least for the frame that traveled fastest; what a later one has more than
 * that is its delay. One of these belongs to one connection.
 */
export class Lateness {
  #least: { difference: number; at: number } | null = null;

  /** The delay in ms of a frame that left at `now` (the city's clock) and came at `arrived` (ours, monotonic). */
  delay(now: number, arrived: number): number {
    const difference = arrived - now;
    const least = this.#leastAt(arrived);
    if (least === null || difference <= least) {
      this.#least = { difference, at: arrived };
      return 0;
    }
    return difference - least;
  }

  /** What the city's clock says at a moment of ours; null before the first frame. */
  cityTime(mono: number): number | null {
    return this.#least && mono - this.#least.difference;
  }

  /** Forgives what the clocks may have drifted since: else a connection of some days would find every frame late. */
  #leastAt(mono: number): number | null {
    return this.#least && this.#least.difference + (mono - this.#least.at) * DRIFT;
  }
}
