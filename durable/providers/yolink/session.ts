import { assertNever } from "#domain/assert-never";
import type { Limit } from "#durable/providers/provider";
import type { Post } from "#durable/providers/http-post";
import type { SessionPart, SessionStore } from "#durable/providers/session-store";
import { isObject, type Json } from "#domain/fields/json";
import {
  failed,
  MAX_COOLDOWN_MS,
  parseResponse,
  nothingDone,
  throttled,
  unrecognized,
  type Failed,
  type ParsedResponse,
} from "./parse-response";
import { readTokens } from "./packet";
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

/** `type` and `model` are the vendor's words, and not for people: see `notALight`. */
export type Device = { id: string; type: string; model: string; name: string; token: string };

type Access = { token: string; renew_at: number };
/** Why no token is asked for until then; `n` refusals in a row. */
type Cooldown = { until: number; n: number; response: Failed };
/** As kept by the store; `owner` tells whose it is, since other credentials begin anew. */
type SavedAccess = { owner: string; access: Access | null; cooldown: Cooldown | null };
type SavedDevices = { owner: string; devices: Device[]; listed_at: number };

export type Got<T> = { ok: true; value: T } | Failed;

const API = "/open/yolink/v2/api";
const TOKEN = "/open/yolink/token";
/** A device's answer is a few hundred bytes; a list has some 300 for each device, and a city may have 50,000. */
const MAX_BYTES = 64 * 1024;
const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** A token is renewed this long before it ends, or in the last tenth of a short life. */
const RENEW_BEFORE_MS = 10 * 60_000;
const OUT_OF: Record<Limit, string> = {
  account: "the account's calls of these five minutes are used up",
  device: "the device's calls of this minute are used up",
};
/** Refused credentials are not tried in a loop: 15, 30, 45, then 60 s apart. */
const REFUSED_COOLDOWN_MS = 15_000;
const LIST_AGAIN_MS = 60_000;

/**
 * What is known of one account: its access token and its devices' tokens, each fetched once however many ask for it, and
 * kept for the object's next life. The cloud's device tokens are not the hub's, which is why each account has its own.
 */
export class Session {
  #access: Access | null = null;
  #asking: Promise<Got<string>> | null = null;
  #devices: Map<string, Device> | null = null;
  #listed_at = 0;
  #listing: Promise<Got<Map<string, Device>>> | null = null;
  #cooldown: Cooldown | null = null;
  #restoring: Promise<void> | null = null;
  /** One after the other, so that what is kept is the latest. */
  #saving: Promise<void> = Promise.resolve();

  constructor(
    readonly account: Account,
    readonly post: Post,
    readonly now: () => number,
    readonly store: SessionStore,
  ) {}

  /** The access token; a new one where the old one ends soon. */
  async access(bounds: Bounds): Promise<Got<string>> {
    await this.#restored();
    if (this.#access && this.now() < this.#access.renew_at) return { ok: true, value: this.#access.token };
    if (this.#isCoolingDown) return this.#coolingDown();
    if (this.#asking) return joined(this.#asking, () => this.access(bounds));
    this.#asking = this.#askAccess(bounds).finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** Forgets a token that was not accepted, unless it was renewed meanwhile. */
  dropAccess(token: string): void {
    if (this.#access?.token !== token) return;
    this.#access = null;
    void this.#keepAccess();
  }

  /** A device of the account with its own token, or null where the list has none. */
  async device(id: string, bounds: Bounds): Promise<Got<Device | null>> {
    await this.#restored();
    const known = this.#devices?.get(id);
    if (known) return { ok: true, value: known };
    const listed = await (this.isListOld ? this.list(bounds) : this.known(bounds));
    return listed.ok ? { ok: true, value: listed.value.get(id) ?? null } : listed;
  }

  /** The account's devices, as they were last listed. */
  async known(bounds: Bounds): Promise<Got<Map<string, Device>>> {
    await this.#restored();
    return this.#devices ? { ok: true, value: this.#devices } : this.list(bounds);
  }

  /** Whether it is worth to list again, since something was not in the list: also where its clock was ahead. */
  get isListOld(): boolean {
    return Math.abs(this.now() - this.#listed_at) > LIST_AGAIN_MS;
  }

  /**
   * The devices listed anew where one is not, or not with that token, in the account any more; unless that was done since it
   * was asked. Where no list comes the others go on by the one that there is.
   */
  async renewList(refused: Device, bounds: Bounds): Promise<Got<unknown>> {
    if (this.#devices?.get(refused.id) !== refused) return { ok: true, value: this.#devices };
    return this.list(bounds);
  }

  /** The account's devices, asked for anew. */
  async list(bounds: Bounds): Promise<Got<Map<string, Device>>> {
    if (this.#listing) return joined(this.#listing, () => this.list(bounds));
    this.#listing = this.#askList(bounds).finally(() => {
      this.#listing = null;
    });
    return this.#listing;
  }

  /** One packet, sent once, nothing renewed. */
  async send(token: string, packet: Json, bounds: Bounds, max_bytes = MAX_BYTES): Promise<ParsedResponse> {
    const { targetDevice } = packet;
    return this.#exchange(typeof targetDevice === "string" ? targetDevice : null, bounds, async (timeout_ms) =>
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

  async #askAccess(bounds: Bounds): Promise<Got<string>> {
    const { base, client_id, client_secret } = this.account;
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret }).toString();
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    return this.#exchange<Got<string>>(null, bounds, async (timeout_ms) => {
      const reply = await this.post({ url: `${base}${TOKEN}`, headers, body }, { timeout_ms, max_bytes: MAX_BYTES });
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
    this.#access = { token, renew_at: this.now() + lives_ms - margin_ms };
    await this.#keepAccess();
    return { ok: true, value: token };
  }

  async #refused(status: number): Promise<Failed> {
    const response = failed("refused", "it refuses the credentials", { status });
    const n = Math.min((this.#cooldown?.n ?? 0) + 1, 4);
    this.#cooldown = { until: this.now() + n * REFUSED_COOLDOWN_MS, n, response };
    await this.#keepAccess();
    return response;
  }

  async #throttled(response: Failed): Promise<Failed> {
    const wait_ms = response.retry_after_ms ?? 0;
    this.#cooldown = { until: this.now() + wait_ms, n: this.#cooldown?.n ?? 0, response };
    await this.#keepAccess();
    return response;
  }

  /** One that would last longer than any was begun by a clock that was ahead. */
  get #isCoolingDown(): boolean {
    const left_ms = (this.#cooldown?.until ?? 0) - this.now();
    return left_ms > 0 && left_ms <= MAX_COOLDOWN_MS;
  }

  /** What was answered last; who is throttled is told how long is left. */
  #coolingDown(): Failed {
    const { response, until } = this.#cooldown ?? { response: failed("unreachable", "not asked"), until: 0 };
    return response.reason === "throttled" ? { ...response, retry_after_ms: until - this.now() } : response;
  }

  async #askList(bounds: Bounds): Promise<Got<Map<string, Device>>> {
    const response = await converse(this, bounds, (token) =>
      this.send(token, { method: "Home.getDeviceList" }, bounds, MAX_LIST_BYTES),
    );
    // No device is to blame that there is no list.
    if (!response.ok) return { ...nothingDone(response), where: response.where && "far_end" };
    const listed = devicesIn(response.data);
    // By an empty one every light would be refused, which ends its ON.
    if (listed === null) return failed("unreachable", unrecognized(response.status), { status: response.status });
    this.#devices = new Map(listed.map((device) => [device.id, device]));
    this.#listed_at = this.now();
    const value = this.#devices;
    await this.#keepDevices();
    return { ok: true, value };
  }

  #restored(): Promise<void> {
    this.#restoring ??= this.#restore();
    return this.#restoring;
  }

  async #restore(): Promise<void> {
    const { key } = this.account;
    const owner = await ownerOf(this.account);
    const kept = await this.store.load<SavedAccess>(key, "access");
    if (kept?.owner === owner) [this.#access, this.#cooldown] = [kept.access, kept.cooldown];
    const listed = await this.store.load<SavedDevices>(key, "devices");
    if (listed?.owner !== owner) return;
    this.#devices = new Map(listed.devices.map((device) => [device.id, device]));
    this.#listed_at = listed.listed_at;
  }

  #keepAccess(): Promise<void> {
    const [access, cooldown] = [this.#access, this.#cooldown];
    return this.#keep("access", (owner) => ({ owner, access, cooldown }) satisfies SavedAccess);
  }

  #keepDevices(): Promise<void> {
    const [devices, listed_at] = [this.#devices, this.#listed_at];
    return this.#keep("devices", (owner): SavedDevices | null =>
      devices ? { owner, devices: [...devices.values()], listed_at } : null,
    );
  }

  #keep(part: SessionPart, value: (owner: string) => object | null): Promise<void> {
    this.#saving = this.#saving
      .then(async () => this.store.save(this.account.key, part, value(await ownerOf(this.account))))
      .catch(() => undefined); // it costs a call at the next wake, and nothing else
    return this.#saving;
  }

  async #exchange<T>(
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

/** Tells whether what was kept belongs to these credentials at this address, without keeping them once more. */
async function ownerOf({ base, client_id, client_secret }: Account): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([base, client_id, client_secret]));
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Calls with an access token; one that is not accepted is renewed, once. */
async function converse(
  session: Session,
  bounds: Bounds,
  call: (token: string) => Promise<ParsedResponse>,
): Promise<ParsedResponse> {
  for (let renewed = false; ; renewed = true) {
    const access = await session.access(bounds);
    if (!access.ok) return nothingDone(access);
    const response = await call(access.value);
    if (response.ok || renewed || (response.then !== "access" && response.then !== "device_token")) return response;
    session.dropAccess(access.value);
  }
}

/** What another's request got. If it did not leave, since that one was not allowed, or was too late, one's own follows. */
async function joined<T>(underWay: Promise<Got<T>>, ask: () => Promise<Got<T>>): Promise<Got<T>> {
  const got = await underWay;
  return !got.ok && got.where === null ? ask() : got;
}

/** A local hub's documented sample is one bare device instead of a list; a hub's rows have no model. Null: this is no list. */
function devicesIn(data: Json): Device[] | null {
  if (!Array.isArray(data.devices) && typeof data.deviceId !== "string") return null;
  const rows: unknown[] = Array.isArray(data.devices) ? data.devices : [data];
  return rows.flatMap((row) => {
    if (!isObject(row) || typeof row.deviceId !== "string" || typeof row.token !== "string") return [];
    const { deviceId, token } = row;
    const text = (value: unknown) => (typeof value === "string" ? value : "");
    return [
      { id: deviceId.toLowerCase(), token, type: text(row.type), model: text(row.modelName), name: text(row.name) },
    ];
  });
}
