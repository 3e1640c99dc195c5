/** The cloud's sliding windows (yolink.md 7): failed calls count too. */
export class Limits {
  account = 100;
  device = 6;
  #calls: { at: number; device: string | null }[] = [];

  /** The code that refuses the call, or null; it is counted either way. */
  count(device: string | null, now: number): string | null {
    this.#calls = this.#calls.filter((call) => call.at > now - 300_000);
    this.#calls.push({ at: now, device });
    if (this.#calls.length > this.account) return "010301";
    const ofDevice = this.#calls.filter((call) => call.device === device && call.at > now - 60_000);
    return device !== null && ofDevice.length > this.device ? "020104" : null;
  }
}
