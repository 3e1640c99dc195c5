import { receive, leave } from "#durable/agents/receive";
import { carry, type AgentSocket } from "#durable/providers/agent-socket";
import type { Line } from "#durable/providers/agent-lines";
import { toAgent, type AgentAnswer, type FromAgent, type ToAgent } from "#domain/agent/frames";
import type { SwitchAction } from "#domain/enums";
import type { World } from "./engine";
import { sql } from "./light";

export type Cmd = Extract<ToAgent, { type: "cmd" }>;

const LATENCY_MS = 200;

/** An agent in D1, and all hubs of the organization assigned to it. */
export async function assignAgent(org_id: string): Promise<string> {
  const id = `${org_id}-agent`;
  await sql(
    "INSERT INTO agents (id, org_id, name, secret_hash, hint) VALUES (?, ?, 'Riverside', 'x', 'abcd')",
    id,
    org_id,
  ).run();
  await sql("UPDATE hubs SET agent_id = ? WHERE org_id = ?", id, org_id).run();
  return id;
}

/** A socket as the object has it, without a platform. */
export class Socket implements AgentSocket {
  readyState: AgentSocket["readyState"] = 1;
  #attachment: unknown = null;
  constructor(
    readonly told: (text: string) => void,
    readonly closed: (code: number, reason: string) => void,
  ) {}
  send(text: unknown): void {
    if (this.readyState !== 1) throw new Error("it is closed");
    this.told(String(text));
  }
  close(code = 1000, reason = ""): void {
    this.readyState = 3;
    this.closed(code, reason);
  }
  serializeAttachment(value: unknown): void {
    this.#attachment = structuredClone(value);
  }
  deserializeAttachment(): unknown {
    return structuredClone(this.#attachment);
  }
}

/** An agent in a world: its line, its lamps, and what it was told. It answers every command after 0.2 s. */
export class AnAgent {
  readonly lamps = new Map<string, SwitchAction>();
  readonly frames: ToAgent[] = [];
  /** How its lines were closed by the object. */
  readonly closings: string[] = [];
  /** What it answers instead; null: nothing at all. */
  answers: ((cmd: Cmd) => AgentAnswer | null) | null = null;
  #socket: Socket | null = null;
  #pinged_at = 0;
  /** Whether it sends no more pings, as on a line that nobody has noticed to be dead. */
  isMute = false;

  constructor(
    readonly world: World,
    readonly id: string,
  ) {}

  get cmds(): Cmd[] {
    return this.frames.flatMap((frame) => (frame.type === "cmd" ? [frame] : []));
  }

  /** Opens a line and says hello. */
  async connect(hello: Partial<Extract<FromAgent, { type: "hello" }>> = {}, generation = 1): Promise<void> {
    const socket = new Socket(
      (text) => this.#take(socket, toAgent.parse(JSON.parse(text))),
      (code, reason) => this.closings.push(`${code} ${reason}`),
    );
    const { now } = this.world;
    const carried = { agent_id: this.id, generation, connection: `${this.id}@${now}`, since: now };
    carry(socket, { ...carried, proto: null, welcomed_at: null, settled_at: null });
    const pingedAt = () => (this.isMute ? this.#pinged_at : (this.#pinged_at = this.world.now));
    const line: Line = {
      socket,
      get pinged_at() {
        return pingedAt();
      },
    };
    this.world.agentLines = [line];
    this.#socket = socket;
    await this.say({
      type: "hello",
      proto: [1, 1],
      agent: "1.0.0",
      boot: "b1",
      log_from: null,
      plan_rev: null,
      hubs: [],
      ...hello,
    });
  }

  say(frame: FromAgent): Promise<void> {
    return this.sayText(JSON.stringify(frame));
  }

  async sayText(text: string): Promise<void> {
    if (this.#socket) await receive(this.world.context, this.#socket, text);
    await this.world.calm();
  }

  /** The line is cut, and the object notices. */
  async cut(): Promise<void> {
    const socket = this.#socket;
    this.#socket = null;
    this.world.agentLines = [];
    if (!socket) return;
    socket.readyState = 3;
    leave(this.world.context, socket);
    await this.world.calm();
  }

  #take(socket: Socket, frame: ToAgent): void {
    this.frames.push(frame);
    if (frame.type !== "cmd") return;
    const lamp = frame.address?.lamp ?? "";
    const answer = this.answers ? this.answers(frame) : this.obey(frame, lamp);
    if (answer === null) return;
    this.world.outside(LATENCY_MS, () => {
      if (socket !== this.#socket) return;
      void receive(this.world.context, socket, JSON.stringify({ type: "result", id: frame.id, answer }));
    });
  }

  /** Does what it is told, and answers for it. */
  obey({ verb, action }: Cmd, lamp: string): AgentAnswer {
    if (verb === "switch" && action) this.lamps.set(lamp, action);
    const state = verb === "switch" || verb === "read" ? (this.lamps.get(lamp) ?? "off") : "unknown";
    return { ok: true, state, http_status: 200, snippet: `local: 000000 Success ${state}`, rtt_ms: 150 };
  }
}
