import type { Failed } from "./parse-response";

export type Got<T> = { ok: true; value: T } | Failed;

/** What is asked for once, however many need it at the same time. */
export class AskedOnce<T> {
  #underWay: Promise<Got<T>> | null = null;

  /**
   * What `ask` gets, or what another's request got that is under way. If that one did not leave, since it was not allowed, or
   * was too late, one's own follows: `again`.
   */
  async get(ask: () => Promise<Got<T>>, again: () => Promise<Got<T>>): Promise<Got<T>> {
    if (this.#underWay) {
      const got = await this.#underWay;
      return !got.ok && got.where === null ? again() : got;
    }
    this.#underWay = ask().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }
}
