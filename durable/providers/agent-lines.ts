import { AGENT_CLOSE, type AgentAnswer, type ToAgent } from "#domain/agent/frames";
import { carriedBy, type AgentSocket } from "./agent-socket";

/** A socket of an agent, and when the platform last answered its ping (epoch ms); null: never yet. */
export type Line = { socket: AgentSocket; pinged_at: number | null };

/** What the lines need of the object that they belong to. */
export type AgentLinePorts = {
  /** The sockets of an agent, or of all, also those that are closing. */
  lines: (agent_id?: string) => Line[];
  /** Epoch milliseconds. */
  now: () => number;
  /** Calls back after `ms`; answers how to call it off. */
  after: (ms: number, then: () => void) => () => void;
};

type Cmd = Extract<ToAgent, { type: "cmd" }>;

/** What is asked of an agent; the line adds the rest. */
export type Asked = Omit<Cmd, "type" | "id" | "now">;

/**
 * What came of it:
 * - `away`: there is no line, and nothing was sent
 * - `full`: so much is asked of the agent already that nothing was sent
 * - `silent`: no answer in time; it may have been done
 * - `cut`: the line was cut before the answer; it may have been done
 */
export type AgentReply = { kind: "answered"; answer: AgentAnswer } | { kind: "away" | "full" | "silent" | "cut" };

/** An agent that has not pinged for so long is not there any more, whatever its socket says. */
const SILENT_MS = 70_000;
/** So many calls are asked of an agent at once. */
const MOST_PENDING = 32;
/** More frames than this within the time are no agent of ours. */
const MOST_FRAMES = 100;
const FRAMES_WITHIN_MS = 10_000;
const OPEN = 1;
/** What failed because of an agent is made good so often at most. */
const LOOK_EVERY_MS = 60_000;
/** A closing frame has 125 bytes, two of them for the code. */
const MOST_REASON_CHARS = 100;

type Pending = { agent_id: string; connection: string; settle: (reply: AgentReply) => void };

/**
 * The lines to the on-site agents, with the calls that wait for an answer. It lives in memory: each call has a time-out of
 * its own, which keeps the object awake for as long as it waits.
 */
export class AgentLines {
  readonly #pending = new Map<string, Pending>();
  /** The frames of each connection, since when (epoch ms). */
  readonly #frames = new Map<string, { since: number; count: number }>();

  /** The connections on which nobody has said hello yet; what calls their time-outs off, which would keep the object awake. */
  readonly #unknown = new Map<string, () => void>();

  /** The connections on which the last order seemed late. */
  readonly #late = new Set<string>();
  /** When each agent that had answered nothing for a while answered again on its line (epoch ms). */
  readonly #back = new Map<string, number>();
  /** When each agent's hubs and lights were last looked at because it was back (epoch ms). */
  readonly #looked = new Map<string, number>();
  /** The agents that are being told something; settles when all of it has been sent. */
  readonly #telling = new Map<string, Promise<void>>();

  constructor(readonly ports: AgentLinePorts) {}

  /** Tells the agent what it has to know before it is asked anything more, after what it was being told already. */
  tell<T>(agent_id: string, tell: () => Promise<T>): Promise<T> {
    const work = (this.#telling.get(agent_id) ?? Promise.resolve()).then(tell);
    const telling = work
      .then(
        () => undefined,
        () => undefined, // whoever asked for it sees to that
      )
      .finally(() => {
        if (this.#telling.get(agent_id) === telling) this.#telling.delete(agent_id);
      });
    this.#telling.set(agent_id, telling);
    return work;
  }

  /** When the agent has been told all of it; null where it is told nothing now. */
  told(agent_id: string): Promise<void> | null {
    return this.#telling.get(agent_id) ?? null;
  }

  /** A socket was opened: whoever says no hello within `ms` is hung up on. */
  expectHello(socket: AgentSocket, ms: number): void {
    const connection = connectionOf(socket);
    const callOff = this.ports.after(ms, () => this.hangUp(socket, "silent", "An agent says hello first"));
    this.#unknown.set(connection, callOff);
  }

  /** The agent on the socket has said hello. */
  greeted(socket: AgentSocket): void {
    const connection = connectionOf(socket);
    this.#unknown.get(connection)?.();
    this.#unknown.delete(connection);
  }

  /** The agent's socket, if it was welcomed and is not silent. */
  socketOf(agent_id: string): AgentSocket | null {
    return this.open(agent_id).find((socket) => (carriedBy(socket)?.proto ?? null) !== null) ?? null;
  }

  /** The open sockets of the agent, or of all, whose agents have pinged lately. */
  open(agent_id?: string): AgentSocket[] {
    return this.#linesOf(agent_id, false);
  }

  /** The sockets that are open, but whose agents have not pinged for too long. */
  silent(agent_id: string): AgentSocket[] {
    return this.#linesOf(agent_id, true);
  }

  #linesOf(agent_id: string | undefined, isSilent: boolean): AgentSocket[] {
    const now = this.ports.now();
    const seenAt = ({ socket, pinged_at }: Line) => Math.max(pinged_at ?? 0, carriedBy(socket)?.since ?? 0);
    return this.ports
      .lines(agent_id)
      .filter((line) => line.socket.readyState === OPEN && now - seenAt(line) > SILENT_MS === isSilent)
      .map(({ socket }) => socket);
  }

  /** Sends a frame; answers whether there was a line. What was sent may still be lost. */
  send(agent_id: string, frame: ToAgent): boolean {
    const socket = this.socketOf(agent_id);
    return socket !== null && sendOn(socket, frame);
  }

  /** Asks the agent, and waits for `timeout_ms` at most. Never rejects. */
  ask(agent_id: string, asked: Asked, timeout_ms: number): Promise<AgentReply> {
    const socket = this.socketOf(agent_id);
    if (!socket) return Promise.resolve({ kind: "away" });
    const underWay = [...this.#pending.values()].filter((pending) => pending.agent_id === agent_id);
    if (underWay.length >= MOST_PENDING) return Promise.resolve({ kind: "full" });
    const id = crypto.randomUUID();
    const connection = connectionOf(socket);
    return new Promise((resolve) => {
      const settle = (reply: AgentReply) => {
        callOff();
        this.#pending.delete(id);
        resolve(reply);
      };
      const callOff = this.ports.after(timeout_ms, () => settle({ kind: "silent" }));
      this.#pending.set(id, { agent_id, connection, settle });
      if (!sendOn(socket, { type: "cmd", id, now: this.ports.now(), ...asked })) settle({ kind: "away" });
    });
  }

  /** An answer has come on the socket. One that nobody waits for any more, or that another line asked for, is dropped. */
  answered(socket: AgentSocket, id: string, answer: AgentAnswer): void {
    const pending = this.#pending.get(id);
    const connection = connectionOf(socket);
    if (!pending || pending.connection !== connection) return;
    // What we asked for ourselves is not too much: at sunset a park answers some two hundred times in ten seconds.
    const frames = this.#frames.get(connection);
    if (frames) frames.count -= 1;
    pending.settle({ kind: "answered", answer });
  }

  /** Counts a frame that has come on the socket; answers whether it is one too many. */
  isTooMany(socket: AgentSocket): boolean {
    const connection = connectionOf(socket);
    const now = this.ports.now();
    const known = this.#frames.get(connection);
    const frames = known && now - known.since < FRAMES_WITHIN_MS ? known : { since: now, count: 0 };
    frames.count += 1;
    this.#frames.set(connection, frames);
    return frames.count > MOST_FRAMES;
  }

  /** Tells the agent why, in words, and closes the socket. */
  hangUp(socket: AgentSocket, why: keyof typeof AGENT_CLOSE, say: string): void {
    const code = AGENT_CLOSE[why];
    sendOn(socket, { type: "bye", code, say });
    try {
      socket.close(code, say.slice(0, MOST_REASON_CHARS));
    } catch {
      // It is gone, which is all that was asked.
    }
    this.cut(socket);
  }

  /**
   * An order was answered in time; `saysLate`: as one that came too late. That cannot be, and twice in a row it means that a
   * clock was set back: every order on this line would seem late.
   */
  noteOnTime(agent_id: string, saysLate: boolean): void {
    const socket = this.socketOf(agent_id);
    if (!socket) return;
    const connection = connectionOf(socket);
    if (!saysLate) this.#late.delete(connection);
    else if (this.#late.has(connection)) this.beginAnew(agent_id);
    else this.#late.add(connection);
  }

  /** The agent answers again. */
  noteBack(agent_id: string): void {
    this.#back.set(agent_id, this.ports.now());
  }

  /**
   * Whether its hubs and lights are to be looked at now. Once a minute at most: where a line loses some answers, some of those
   * to the look are lost, and each of the others would be followed by another look.
   */
  isLookDue(agent_id: string): boolean {
    const looked = this.#looked.get(agent_id) ?? 0;
    return (this.#back.get(agent_id) ?? 0) > looked && this.ports.now() - looked >= LOOK_EVERY_MS;
  }

  /** Its hubs and lights are being looked at. */
  noteLooked(agent_id: string): void {
    this.#looked.set(agent_id, this.ports.now());
  }

  /** The clock was ahead: no agent was back, or looked at, in the future. */
  forgetReturns(): void {
    this.#back.clear();
    this.#looked.clear();
  }

  /** Since when it answers again (epoch ms), as far as this process knows; null where it was never silent. */
  backSince(agent_id: string): number | null {
    return this.#back.get(agent_id) ?? null;
  }

  /** Has an agent, or all of them, connect again, whose clocks are compared anew then. */
  beginAnew(agent_id?: string): void {
    for (const socket of this.open(agent_id)) this.hangUp(socket, "again", "Connect again");
  }

  /** The socket is gone, and with it the answers that were to come on it. */
  cut(socket: AgentSocket): void {
    const connection = connectionOf(socket);
    this.greeted(socket);
    this.#frames.delete(connection);
    this.#late.delete(connection);
    for (const pending of this.#pending.values())
      if (pending.connection === connection) pending.settle({ kind: "cut" });
  }
}

function connectionOf(socket: AgentSocket): string {
  return carriedBy(socket)?.connection ?? "";
}

/** Never throws: a socket may be closing. */
export function sendOn(socket: AgentSocket, frame: ToAgent): boolean {
  try {
    socket.send(JSON.stringify(frame));
    return true;
  } catch {
    return false;
  }
}
