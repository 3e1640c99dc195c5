import type { Json } from "#domain/fields/json";
import type { Post } from "#durable/providers/http-post";
import type { Limit } from "#durable/providers/provider";
import { failed, parseResponse, type Failed, type ParsedResponse } from "./parse-response";
import type { Credentials } from "./uac-key";

/** One end of the vendor's protocol: the cloud for one UAC, or one local hub. */
export type Account = Credentials & {
  /** `cloud` or `hub:{id}`; what is cached of it is cached under this. */
  key: string;
  /** `http://192.168.1.50:1080` */
  base: string;
};

/** How far one call may go. */
export type Bounds = {
  /** Epoch ms. */
  until: number;
  /** What switches a lamp must not leave after this (epoch ms); null: it is never too late. */
  not_after: number | null;
  /** Takes one call from the budget, or says when there will be one again; what is refused does not leave. */
  acquire: (device: string | null) => { limit: Limit; retry_after_ms: number } | null;
};

const API = "/open/yolink/v2/api";
/** A device's answer is a few hundred bytes. */
export const MAX_BYTES = 64 * 1024;
const OUT_OF: Record<Limit, string> = {
  account: "the account's calls of these five minutes are used up",
  device: "the device's calls of this minute are used up",
};

/** Makes the calls of one account: each once, within its bounds. */
export class Endpoint {
  constructor(
    readonly account: Account,
    readonly post: Post,
    readonly now: () => number,
  ) {}

  /** One packet, sent once, nothing renewed. */
  async send(token: string, packet: Json, bounds: Bounds, max_bytes = MAX_BYTES): Promise<ParsedResponse> {
    const { targetDevice } = packet;
    return this.exchange(typeof targetDevice === "string" ? targetDevice : null, bounds, async (timeout_ms) =>
      parseResponse(
        await this.post(
          {
            url: `${this.account.base}${API}`,
            headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
            body: JSON.stringify({ time: this.now(), ...packet }),
          },
          { timeout_ms, max_bytes },
        ),
      ),
    );
  }

  /** What `act` comes to in the time that is left (ms), unless it is too late or the calls are used up: it is then not begun. */
  async exchange<T>(
    device: string | null,
    bounds: Bounds,
    act: (timeout_ms: number) => Promise<T>,
  ): Promise<T | Failed> {
    const now = this.now();
    const timeout_ms = bounds.until - now;
    if (timeout_ms <= 0) return failed("unreachable", "no time was left to ask it");
    if (bounds.not_after !== null && now > bounds.not_after) {
      return failed("throttled", "too late to send", { where: null, retry_after_ms: 0 });
    }
    const refusal = bounds.acquire(device);
    if (!refusal) return act(timeout_ms);
    const sec = Math.ceil(refusal.retry_after_ms / 1000);
    return failed("throttled", `${OUT_OF[refusal.limit]} for another ${sec} s`, { where: null, ...refusal });
  }
}
