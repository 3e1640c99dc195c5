/** How often each of some things happened. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  /** 'off hold 3, on booked 12' */
  toString(): string {
    return [...this.#counts]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([what, n]) => `${what} ${n}`)
      .join(", ");
  }
}
