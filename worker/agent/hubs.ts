import { MOST_FRAME_BYTES, type AssignedHub } from "#domain/agent/frames";
import type { HubAddress } from "#durable/providers/provider";
import type { Config } from "./config";
import { isWithin } from "./networks";

/** What a greeting says besides. */
const REST_BYTES = 1_000;

export type Found = { ok: true; hub: HubAddress } | { ok: false; detail: string };

/** The hubs that the city has assigned to this agent; nothing else is called. */
export class Hubs {
  readonly #hubs = new Map<string, AssignedHub>();
  readonly #last = new Map<string, { ok: boolean; detail: string }>();

  constructor(private readonly config: Pick<Config, "networks" | "hubs">) {}

  /** Takes the assigned hubs in place of those before. */
  assign(hubs: AssignedHub[]): void {
    this.#hubs.clear();
    for (const hub of hubs) this.#hubs.set(hub.id, hub);
  }

  get all(): AssignedHub[] {
    return [...this.#hubs.values()];
  }

  /** Where a hub is called; or why it is not, which is a sentence for people. */
  find(id: string): Found {
    const hub = this.#hubs.get(id);
    if (!hub) return { ok: false, detail: "the hub is not assigned to this agent" };
    const { name, ip_address, port, connection_mode } = hub;
    if (ip_address !== null && !isWithin(ip_address, this.config.networks)) {
      return { ok: false, detail: `hub ${name}: the agent's own file doesn't allow ${ip_address}` };
    }
    const own = this.config.hubs[id] ?? this.config.hubs[name] ?? hub.credentials;
    const address = {
      id,
      name,
      ip_address,
      port,
      connection_mode,
      agent_id: null,
      local_client_id: own?.client_id ?? null,
      local_client_secret: own?.client_secret ?? null,
    };
    return { ok: true, hub: address };
  }

  /** Remembers how the last call went, for the next time that the city asks. */
  answered(id: string, ok: boolean, detail: string): void {
    this.#last.set(id, { ok, detail: detail.slice(0, 200) });
  }

  /** How each hub was when it was last called; of very many, as much as a greeting holds: the city hangs up at a longer one. */
  get health(): { id: string; ok: boolean; detail: string }[] {
    const known = this.all.map(({ id }) => ({
      id,
      ...(this.#last.get(id) ?? { ok: false, detail: "not called yet" }),
    }));
    while (Buffer.byteLength(JSON.stringify(known)) > MOST_FRAME_BYTES - REST_BYTES) known.pop();
    return known;
  }
}
