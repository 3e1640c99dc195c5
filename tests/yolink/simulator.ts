import { Issuer } from "./issuer";
import { textOf } from "./error-texts";
import { Lamp, type LampType } from "./lamp";
import { Limits } from "./limits";
import {
  fieldsOf,
  json,
  oddity,
  paramsOf,
  parse,
  refusalOf,
  tooMany,
  type Fault,
  type Packet,
  type Told,
} from "./packets";

/** `cloud` or the id of a local hub; every door speaks the same protocol. */
export type Door = string;

export type Asked = { path: string; query: string; authorization: string | null; body: string };

export type Entry = {
  at: number;
  door: Door;
  method: string;
  device: string | null;
  state: unknown;
  code: string;
  ms: number;
};

type Hub = { id: string; name: string; ip: string; issuer: Issuer };
type Outcome = { code: string; data?: Record<string, unknown>; status?: number };

export type Means = {
  now: () => number;
  wait: (ms: number) => Promise<void>;
  /** Between 0 and 1. */
  random: () => number;
  /** Multiplies the delays; 1 is as slow as the real radio, 0.8 to 2.5 s a command. */
  scale?: number;
};

const CLOUD = "cloud";

/** The vendor's cloud and any number of local hubs; the vendor's own client works with it. */
export class Simulator {
  readonly cloud = new Issuer(
    CLOUD,
    { id: "ua_0123456789ABCDEF", secret: "sec_v1_simulated+secret/42==" },
    "Not Support",
  );
  readonly limits = new Limits();
  readonly lamps = new Map<string, Lamp>();
  readonly hubs = new Map<string, Hub>();
  readonly journal: Entry[] = [];
  /** Lamps that the cloud reaches only through their hub. */
  readonly onlyByHub = new Set<string>();
  readonly #faults = new Map<string, Fault[]>();
  readonly #pending = new Set<string>();
  #salt = 0;

  constructor(readonly means: Means) {}

  addHub(id: string, name: string, ip = `192.168.1.${50 + this.hubs.size}`): Hub {
    const credentials = { id: `client-${id}`, secret: `local+secret/${id}==` };
    const hub = { id, name, ip, issuer: new Issuer(id, credentials, "Auth Failed") };
    this.hubs.set(id, hub);
    return hub;
  }

  addLamp(id: string, name: string, type: LampType, hub: string | null, model?: string): Lamp {
    const lamp = new Lamp(id, name, type, hub, model);
    this.lamps.set(id, lamp);
    return lamp;
  }

  /** Sets the faults of a lamp, a hub or `cloud`; without any, heals it. */
  fault(of: string, ...faults: Fault[]): void {
    if (faults.length === 0) this.#faults.delete(of);
    else this.#faults.set(of, faults);
  }

  faultsOf(of: string): Fault[] {
    return this.#faults.get(of) ?? [];
  }

  /** Changes every device token, as when a device was added again; the old ones answer 000103. */
  changeDeviceTokens(): void {
    this.#salt += 1;
  }

  async ask(door: Door, asked: Asked): Promise<Told> {
    const { wait } = this.means;
    if (this.#has(door, "offline")) return "refused";
    if (this.#has(door, "silent")) return "silence";
    const slow = this.faultsOf(door).find((f) => f.kind === "slow");
    if (slow?.kind === "slow") await wait(slow.ms);
    const odd = oddity(this.faultsOf(door));
    if (odd) return odd;
    const refusal = refusalOf(this.faultsOf(door), asked.path);
    if (refusal) return refusal;
    if (asked.path === "/open/yolink/token") return this.#token(door, asked);
    if (asked.path === "/open/yolink/v2/api") return this.#api(door, asked);
    return { status: 404, headers: {}, body: "" };
  }

  async #token(door: Door, { query, authorization, body }: Asked): Promise<Told> {
    const began = this.means.now();
    const fields = new URLSearchParams(`${body}&${query}`);
    const basic = /^Basic (.+)$/.exec(authorization ?? "")?.[1];
    if (basic && door !== CLOUD) {
      const [id = "", ...secret] = atob(basic).split(":");
      fields.set("client_id", id);
      fields.set("client_secret", secret.join(":"));
    }
    const entry = { at: began, door, method: "token", device: null, state: null };
    const retry_after_sec = door === CLOUD ? this.limits.countToken(began) : null;
    if (retry_after_sec !== null) {
      this.journal.push({ ...entry, code: "429", ms: 0 });
      return tooMany(retry_after_sec);
    }
    await this.#take(0.1);
    const answer = this.#issuer(door).issue(fields, this.means.now());
    const code = "state" in answer ? "refused" : "000000";
    this.journal.push({ ...entry, code, ms: this.means.now() - began });
    return json(200, answer);
  }

  async #api(door: Door, { authorization, body }: Asked): Promise<Told> {
    const began = this.means.now();
    const packet = parse(body);
    const device = typeof packet?.targetDevice === "string" ? packet.targetDevice.toLowerCase() : null;
    const method = typeof packet?.method === "string" ? packet.method : "";
    const limited = door === CLOUD ? this.limits.count(device, began) : null;
    const outcome = limited
      ? { code: limited }
      : (this.#unauthorized(door, authorization) ?? (await this.#serve(door, packet, method, device)));
    const { code, data = {}, status = 200 } = outcome;
    const ms = this.means.now() - began;
    this.journal.push({ at: began, door, method, device, state: paramsOf(packet).state, code, ms });
    if (code === "drop") return "drop";
    const time = this.means.now();
    return json(status, { code, time, msgid: packet?.msgid ?? time, method, desc: textOf(code), data });
  }

  #unauthorized(door: Door, authorization: string | null): Outcome | null {
    const token = this.#issuer(door).check(authorization, this.means.now());
    if (token === "expired") return { code: "010104" };
    if (token === "valid") return null;
    return door === CLOUD ? { code: "000103" } : { code: "010103", status: 401 };
  }

  async #serve(door: Door, packet: Packet | null, method: string, device: string | null): Promise<Outcome> {
    if (!packet) return { code: "010204" };
    if (method === "") return { code: "010202" };
    if (method === "Home.getGeneralInfo") return { code: "000000", data: { id: `home-${door}`, name: "City Parks" } };
    if (method === "Home.getDeviceList") {
      await this.#take(0.2);
      return { code: "000000", data: { devices: this.#list(door) } };
    }
    const [type = "", verb = ""] = method.split(".");
    const hub = door === CLOUD && device ? [...this.hubs.values()].find((h) => hubDevice(h.id) === device) : undefined;
    if (hub) return this.#serveHub(hub, type, verb, packet);
    const lamp = device ? this.lamps.get(device) : undefined;
    if (!lamp || (door !== CLOUD && lamp.hub !== door)) return { code: "020101" };
    if (packet.token !== this.#deviceToken(door, lamp.id)) return { code: "000103" };
    if (lamp.type !== type || !["getState", "setState", "fetchState", "setDelay"].includes(verb))
      return { code: "010203" };
    const key = `${door} ${lamp.id} ${method}`;
    if (door !== CLOUD && this.#pending.has(key)) return { code: "020104" };
    this.#pending.add(key);
    try {
      return await this.#serveLamp(door, lamp, verb, packet);
    } finally {
      this.#pending.delete(key);
    }
  }

  async #serveLamp(door: Door, lamp: Lamp, verb: string, packet: Packet): Promise<Outcome> {
    const { wait, now } = this.means;
    lamp.elapse(now());
    const isCutOff = lamp.hub !== null && (this.#has(lamp.hub, "offline") || this.#has(lamp.hub, "silent"));
    const isDark = this.#has(lamp.id, "offline");
    if (verb === "fetchState") {
      await this.#take(0.02);
      return {
        code: "000000",
        data: lamp.remembered(!isDark && !isCutOff && now() - lamp.reported_at < 16 * 3_600_000, now()),
      };
    }
    // The cloud reaches a lamp through any gateway, unless only the lamp's own hub can.
    if (door === CLOUD && isCutOff && this.onlyByHub.has(lamp.id)) return { code: "000101" };
    const faults = this.faultsOf(lamp.id);
    const slow = faults.find((f) => f.kind === "slow");
    if (slow?.kind === "slow") await wait(slow.ms);
    const coded = faults.find((f) => f.kind === "code");
    if (coded?.kind === "code") return { code: coded.code };
    if (isDark || this.#useFlaky(lamp.id)) {
      await wait(isDark ? 4_000 : 0);
      return { code: "000201" };
    }
    await this.#take(1);
    if (verb === "getState") {
      lamp.reported_at = now();
      return { code: "000000", data: lamp.long(now()) };
    }
    const wanted = paramsOf(packet);
    if (verb === "setDelay") return this.#delay(lamp, wanted);
    if (this.#has(lamp.id, "stuck") || this.#has(door, "stuck"))
      return { code: "000000", data: { ...lamp.short(), state: wanted.state === "open" ? "open" : "closed" } };
    lamp.obey(wanted, now());
    return this.#has(lamp.id, "drop") ? { code: "drop" } : { code: "000000", data: lamp.short() };
  }

  #delay(lamp: Lamp, { delayOn, delayOff, delays }: Record<string, unknown>): Outcome {
    const { wait, now } = this.means;
    const rows = Array.isArray(delays) ? delays.map(fieldsOf) : [{ ch: 1, on: delayOn, off: delayOff }];
    for (const { ch, on, off } of rows) {
      const [socket, on_min, off_min] = [ch, on, off].map((value) => Number(value) || 0);
      lamp.delay(socket ?? 1, on_min ?? 0, off_min ?? 0, now());
      for (const min of [on_min, off_min]) if (min) void wait(min * 60_000).then(() => lamp.elapse(now()));
    }
    return { code: "000000", data: lamp.delays(now()) };
  }

  async #serveHub(hub: Hub, type: string, verb: string, packet: Packet): Promise<Outcome> {
    if (packet.token !== this.#deviceToken(CLOUD, hub.id)) return { code: "000103" };
    if (type !== "Hub" || verb !== "getState") return { code: "010203" };
    await this.#take(0.3);
    if (this.#has(hub.id, "offline") || this.#has(hub.id, "silent")) return { code: "000101" };
    return {
      code: "000000",
      data: { version: "0316", wifi: { enable: true, ssid: "ParksNet", ip: hub.ip }, eth: { enable: false } },
    };
  }

  /** The cloud lists every device in full; a hub lists its own lamps with four fields. */
  #list(door: Door): Record<string, unknown>[] {
    const lamps = [...this.lamps.values()].filter((lamp) => door === CLOUD || lamp.hub === door);
    const row = ({ id, name, type }: Lamp) => ({ deviceId: id, name, token: this.#deviceToken(door, id), type });
    if (door !== CLOUD) return lamps.map(row);
    const hubs = [...this.hubs.values()].map(({ id, name }) => ({
      deviceId: hubDevice(id),
      name,
      token: this.#deviceToken(CLOUD, id),
      type: "Hub",
      modelName: "YS1606-UC",
    }));
    return [...hubs, ...lamps.map((lamp) => ({ ...row(lamp), modelName: lamp.model }))].map((listed) => ({
      ...listed,
      deviceUDID: `ud${listed.deviceId}`,
      parentDeviceId: null,
      serviceZone: null,
    }));
  }

  #issuer(door: Door): Issuer {
    return this.hubs.get(door)?.issuer ?? this.cloud;
  }

  /** A device's token, which differs between the cloud and its hub. */
  #deviceToken(door: Door, id: string): string {
    return `devtoken-${this.#salt}-${door}-${id}`.toUpperCase();
  }

  #has(of: string, kind: Fault["kind"]): boolean {
    return this.faultsOf(of).some((f) => f.kind === kind);
  }

  #useFlaky(of: string): boolean {
    const flaky = this.faultsOf(of).find((f) => f.kind === "flaky");
    if (flaky?.kind !== "flaky") return false;
    const rest = this.faultsOf(of).filter((f) => f !== flaky);
    this.fault(of, ...rest, ...(flaky.n > 1 ? [{ kind: "flaky" as const, n: flaky.n - 1 }] : []));
    return true;
  }

  /** Waits as long as the radio takes: 0.8 to 2.5 s for a whole command, a share of it for a wired call. */
  #take(share: number): Promise<void> {
    const { wait, random, scale = 1 } = this.means;
    return wait((800 + random() * 1700) * share * scale);
  }
}

/** The device id of a hub in the cloud's list. */
export function hubDevice(id: string): string {
  let hash = 7;
  for (const char of id) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 0xffffffff;
  return `d88b4c16${hash.toString(16).padStart(8, "0")}`;
}
