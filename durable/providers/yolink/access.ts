import { assertNever } from "#domain/assert-never";
import type { SessionStore } from "#durable/providers/session-store";
import { AskedOnce, type Got } from "./asked-once";
import { MAX_BYTES, type Bounds, type Endpoint } from "./endpoint";
import { keptPart } from "./kept-part";
import { readTokens } from "./packet";
import { failed, MAX_COOLDOWN_MS, throttled, unrecognized, type Failed } from "./parse-response";

type Token = { token: string; renew_at: number };
/** Why no token is asked for until then; `n` refusals in a row. */
type Cooldown = { until: number; n: number; response: Failed };
/** As kept by the store. */
type Saved = { access: Token | null; cooldown: Cooldown | null };

const TOKEN = "/open/yolink/token";
/** A token is renewed this long before it ends, or in the last tenth of a short life. */
const RENEW_BEFORE_MS = 10 * 60_000;
/** Refused credentials are not tried in a loop: 15, 30, 45, then 60 s apart. */
const REFUSED_COOLDOWN_MS = 15_000;

/** The access token of one account, fetched once however many ask for it, and kept for the object's next life. */
export class Access {
  #token: Token | null = null;
  #cooldown: Cooldown | null = null;
  #restoring: Promise<void> | null = null;
  readonly #asked = new AskedOnce<string>();
  readonly #kept;

  constructor(
    readonly endpoint: Endpoint,
    store: SessionStore,
  ) {
    this.#kept = keptPart<Saved>(store, endpoint.account, "access");
  }

  /** The token; a new one where the old one ends soon. */
  async get(bounds: Bounds): Promise<Got<string>> {
    await this.#restored();
    if (this.#token && this.endpoint.now() < this.#token.renew_at) return { ok: true, value: this.#token.token };
    if (this.#isCoolingDown) return this.#coolingDown();
    return this.#asked.get(
      () => this.#ask(bounds),
      () => this.get(bounds),
    );
  }

  /** Forgets a token that was not accepted, unless it was renewed meanwhile. */
  drop(token: string): void {
    if (this.#token?.token !== token) return;
    this.#token = null;
    void this.#keep();
  }

  async #ask(bounds: Bounds): Promise<Got<string>> {
    const { base, client_id, client_secret } = this.endpoint.account;
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret }).toString();
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    return this.endpoint.exchange<Got<string>>(null, bounds, async (timeout_ms) => {
      const reply = await this.endpoint.post(
        { url: `${base}${TOKEN}`, headers, body },
        { timeout_ms, max_bytes: MAX_BYTES },
      );
      if (!reply.ok) return failed("unreachable", reply.detail, { status: reply.status });
      const { status } = reply;
      const tokens = readTokens(reply);
      switch (tokens.kind) {
        case "tokens":
          return this.#accept(tokens);
        case "refused":
          return this.#refused(status);
        case "throttled":
          return this.#throttled(throttled(reply));
        case "unavailable":
          return failed("unreachable", `its token service is out of order (${status})`, { status });
        case "unrecognized":
          return failed("unreachable", unrecognized(status), { status });
        default:
          return assertNever(tokens);
      }
    });
  }

  async #accept({ access_token: token, lives_ms }: { access_token: string; lives_ms: number }): Promise<Got<string>> {
    const margin_ms = Math.min(RENEW_BEFORE_MS, lives_ms / 10);
    this.#cooldown = null;
    this.#token = { token, renew_at: this.endpoint.now() + lives_ms - margin_ms };
    await this.#keep();
    return { ok: true, value: token };
  }

  async #refused(status: number): Promise<Failed> {
    const response = failed("refused", "it refuses the credentials", { status });
    const n = Math.min((this.#cooldown?.n ?? 0) + 1, 4);
    this.#cooldown = { until: this.endpoint.now() + n * REFUSED_COOLDOWN_MS, n, response };
    await this.#keep();
    return response;
  }

  async #throttled(response: Failed): Promise<Failed> {
    const wait_ms = response.retry_after_ms ?? 0;
    this.#cooldown = { until: this.endpoint.now() + wait_ms, n: this.#cooldown?.n ?? 0, response };
    await this.#keep();
    return response;
  }

  /** One that would last longer than any was begun by a clock that was ahead. */
  get #isCoolingDown(): boolean {
    const left_ms = (this.#cooldown?.until ?? 0) - this.endpoint.now();
    return left_ms > 0 && left_ms <= MAX_COOLDOWN_MS;
  }

  /** What was answered last; who is throttled is told how long is left. */
  #coolingDown(): Failed {
    const { response, until } = this.#cooldown ?? { response: failed("unreachable", "not asked"), until: 0 };
    return response.reason === "throttled" ? { ...response, retry_after_ms: until - this.endpoint.now() } : response;
  }

  #restored(): Promise<void> {
    this.#restoring ??= this.#restore();
    return this.#restoring;
  }

  async #restore(): Promise<void> {
    const saved = await this.#kept.load();
    if (saved) [this.#token, this.#cooldown] = [saved.access, saved.cooldown];
  }

  #keep(): Promise<void> {
    return this.#kept.save({ access: this.#token, cooldown: this.#cooldown });
  }
}
