type Call = { at: number; device: string | null };

/**
 * The cloud's sliding windows: 100 calls in five minutes for an account, six in a minute for a device, and `tokens`
 * token requests in five minutes. Failed calls count, too.
 */
export class Limits {
  account = 100;
  device = 6;
  tokens = 20;
  #calls: Call[] = [];
  #tokens: number[] = [];

  /** Counts the call; the code that refuses it, or null. */
  count(device: string | null, now: number): string | null {
    this.#calls = this.#calls.filter((call) => call.at > now - WINDOW_MS);
    this.#calls.push({ at: now, device });
    if (this.#calls.length > this.account) return "010301";
    const ofDevice = this.#calls.filter((call) => call.device === device && call.at > now - 60_000);
    return device !== null && ofDevice.length > this.device ? "020104" : null;
  }

  /** Counts a token request, a refused one included; the seconds to wait, or null if a token is issued now. */
  countToken(now: number): number | null {
    this.#tokens = this.#tokens.filter((at) => at > now - WINDOW_MS);
    this.#tokens.push(now);
    if (this.#tokens.length <= this.tokens) return null;
    return Math.ceil(((this.#tokens.at(-this.tokens) ?? now) + WINDOW_MS - now) / 1000);
  }
}

const WINDOW_MS = 300_000;
