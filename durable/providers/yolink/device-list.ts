import { isObject, type Json } from "#domain/fields/json";
import type { SessionStore } from "#durable/providers/session-store";
import type { Access } from "./access";
import { AskedOnce, type Got } from "./asked-once";
import type { Bounds, Endpoint } from "./endpoint";
import { keptPart } from "./kept-part";
import { failed, nothingDone, unrecognized, type ParsedResponse } from "./parse-response";

/** `type` and `model` are the vendor's words, and not for people: see `notALight`. */
export type Device = { id: string; type: string; model: string; name: string; token: string };

/** As kept by the store. */
type Saved = { devices: Device[]; listed_at: number };

/** A list has some 300 bytes for each device, and a city may have 50,000. */
const MAX_LIST_BYTES = 16 * 1024 * 1024;
const LIST_AGAIN_MS = 60_000;

/**
 * The devices of one account with their tokens, listed once however many ask, and kept for the object's next life. The
 * cloud's device tokens are not the hub's, which is why each account has its own.
 */
export class DeviceList {
  #devices: Map<string, Device> | null = null;
  #listed_at = 0;
  #restoring: Promise<void> | null = null;
  readonly #asked = new AskedOnce<Map<string, Device>>();
  readonly #kept;

  constructor(
    readonly endpoint: Endpoint,
    readonly access: Access,
    store: SessionStore,
  ) {
    this.#kept = keptPart<Saved>(store, endpoint.account, "devices");
  }

  /** A device of the account with its own token, or null where the list has none. */
  async find(id: string, bounds: Bounds): Promise<Got<Device | null>> {
    await this.#restored();
    const known = this.#devices?.get(id);
    if (known) return { ok: true, value: known };
    const listed = await (this.isOld ? this.list(bounds) : this.known(bounds));
    return listed.ok ? { ok: true, value: listed.value.get(id) ?? null } : listed;
  }

  /** The devices as they were last listed. */
  async known(bounds: Bounds): Promise<Got<Map<string, Device>>> {
    await this.#restored();
    return this.#devices ? { ok: true, value: this.#devices } : this.list(bounds);
  }

  /** Whether it is worth to list again, since something was not in the list: also where its clock was ahead. */
  get isOld(): boolean {
    return Math.abs(this.endpoint.now() - this.#listed_at) > LIST_AGAIN_MS;
  }

  /**
   * The devices listed anew where one is not, or not with that token, in the account any more; unless that was done since it
   * was asked. Where no list comes the others go on by the one that there is.
   */
  async renew(refused: Device, bounds: Bounds): Promise<Got<unknown>> {
    if (this.#devices?.get(refused.id) !== refused) return { ok: true, value: this.#devices };
    return this.list(bounds);
  }

  /** The devices, asked for anew. */
  async list(bounds: Bounds): Promise<Got<Map<string, Device>>> {
    return this.#asked.get(
      () => this.#ask(bounds),
      () => this.list(bounds),
    );
  }

  async #ask(bounds: Bounds): Promise<Got<Map<string, Device>>> {
    // What was kept must not come after what is listed now.
    await this.#restored();
    const response = await converse(this.access, bounds, (token) =>
      this.endpoint.send(token, { method: "Home.getDeviceList" }, bounds, MAX_LIST_BYTES),
    );
    // No device is to blame that there is no list.
    if (!response.ok) return { ...nothingDone(response), where: response.where && "far_end" };
    const listed = devicesIn(response.data);
    // By an empty one every light would be refused, which ends its ON.
    if (listed === null) return failed("unreachable", unrecognized(response.status), { status: response.status });
    const devices = new Map(listed.map((device) => [device.id, device]));
    this.#devices = devices;
    this.#listed_at = this.endpoint.now();
    await this.#kept.save({ devices: listed, listed_at: this.#listed_at });
    return { ok: true, value: devices };
  }

  #restored(): Promise<void> {
    this.#restoring ??= this.#restore();
    return this.#restoring;
  }

  async #restore(): Promise<void> {
    const saved = await this.#kept.load();
    if (!saved) return;
    this.#devices = new Map(saved.devices.map((device) => [device.id, device]));
    this.#listed_at = saved.listed_at;
  }
}

/** Calls with an access token; one that is not accepted is renewed, once. */
async function converse(
  access: Access,
  bounds: Bounds,
  call: (token: string) => Promise<ParsedResponse>,
): Promise<ParsedResponse> {
  for (let renewed = false; ; renewed = true) {
    const token = await access.get(bounds);
    if (!token.ok) return nothingDone(token);
    const response = await call(token.value);
    if (response.ok || renewed || (response.then !== "access" && response.then !== "device_token")) return response;
    access.drop(token.value);
  }
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
