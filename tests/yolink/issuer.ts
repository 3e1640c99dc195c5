/** The access tokens of the cloud or of one hub. They expire by the simulator's clock. */
export class Issuer {
  ttl_ms = 7_200_000;
  #access = new Map<string, number>();
  #refresh = new Set<string>();
  #n = 0;

  constructor(
    readonly name: string,
    public credentials: { id: string; secret: string },
    public refusal: string,
  ) {}

  /** The body that answers a token request, a refusal included: the status is always HTTP 200. */
  issue(fields: URLSearchParams, now: number): Record<string, unknown> {
    const isOurs = fields.get("client_id") === this.credentials.id;
    switch (fields.get("grant_type")) {
      case "client_credentials":
        return isOurs && fields.get("client_secret") === this.credentials.secret ? this.#pair(now) : this.#refused();
      case "refresh_token":
        return isOurs && this.#refresh.delete(fields.get("refresh_token") ?? "") ? this.#pair(now) : this.#refused();
      default:
        return { state: "error", msg: "grant_type not supported" };
    }
  }

  check(authorization: string | null, now: number): "valid" | "expired" | "unknown" {
    const until = this.#access.get((authorization ?? "").replace(/^Bearer /, ""));
    if (until === undefined) return "unknown";
    return until > now ? "valid" : "expired";
  }

  expireAll(): void {
    for (const token of this.#access.keys()) this.#access.set(token, 0);
  }

  /** Forgets every token, as after the access credentials were deleted and created again. */
  revokeAll(): void {
    this.#access.clear();
    this.#refresh.clear();
  }

  #pair(now: number): Record<string, unknown> {
    this.#n += 1;
    const [access_token, refresh_token] = [`${this.name}.access.${this.#n}.secret`, `${this.name}.refresh.${this.#n}`];
    this.#access.set(access_token, now + this.ttl_ms);
    this.#refresh.add(refresh_token);
    return {
      access_token,
      token_type: "bearer",
      expires_in: Math.round(this.ttl_ms / 1000),
      refresh_token,
      scope: ["create"],
    };
  }

  #refused(): Record<string, unknown> {
    return { state: "error", msg: this.refusal };
  }
}
