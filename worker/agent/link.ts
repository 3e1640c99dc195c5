import type { IncomingMessage } from "node:http";
import { WebSocket, type RawData } from "ws";
import {
  AGENT_CLOSE,
  AGENT_PING,
  AGENT_PONG,
  fromAgent,
  MOST_FRAME_BYTES,
  type FromAgent,
  type ToAgent,
} from "#domain/agent/frames";
import { readFrame } from "./read-frame";
import { Lateness } from "./lateness";
import type { Means } from "./means";
import { explain, waitAfter, type Cut } from "./reconnect";
import { AGENT_VERSION } from "./version";

type Hello = FromAgent & { type: "hello" };

/** When a frame came (monotonic), and how long it was on its way. */
export type Arrival = {
  at: number;
  delay_ms: number;
  /** Answers on the line that it came by; false where that is cut, and nobody waits for the answer any more. */
  reply: (frame: FromAgent) => boolean;
  /** The first welcome of a line; a later one only tells of other hubs. */
  isFirst: boolean;
};

export type LinkDeps = {
  /** `wss://lights.city.gov/api/agent` */
  url: string;
  secret: string;
  means: Means;
  hello: () => Hello;
  /** Told of every frame that is understood, the first a `welcome`. */
  take: (frame: ToAgent, arrival: Arrival) => void;
  /** Told of every pong and welcome: the city was there just now. */
  heard: () => void;
};

const PING_EVERY_MS = 12_000;
/** The line is dead, whatever the operating system still believes. */
const SILENT_AFTER_MS = 35_000;
const HANDSHAKE_MS = 15_000;
/**
 * The welcome is what later frames are dated by. If it was held up, as a proxy may do, a switch that was held up as long
 * would look fresh; so such a line is not used.
 */
const SLOWEST_WELCOME_MS = 3_000;
const HELD_MS = 30_000;
/** So long the city has to answer a goodbye; on a line that is dead it never does. */
const GOODBYE_MS = 1_000;
/** What waits to be sent. Readings are dropped above it; the line is too slow for them. */
const MOST_BUFFERED_BYTES = 256 * 1024;

/** The one line to the city, which is made again whenever it is cut. */
export class Link {
  #socket: WebSocket | null = null;
  #welcomed_at: number | null = null;
  #failures = 0;
  /** The next ping, or without a socket the next try. */
  #callOffNext: () => void = () => undefined;
  #isStopped = false;

  constructor(private readonly deps: LinkDeps) {}

  /** Since when the line holds (monotonic); null where it does not. */
  get linked_since(): number | null {
    return this.#welcomed_at;
  }

  start(): void {
    this.#isStopped = false;
    this.#connect();
  }

  /** Sends a frame; false where it can't leave now. It is not kept for later: what is late is worth nothing. */
  send(frame: FromAgent): boolean {
    const socket = this.#socket;
    if (this.#welcomed_at === null || socket?.readyState !== WebSocket.OPEN) return false;
    const text = JSON.stringify(frame);
    if (!fromAgent.safeParse(frame).success || Buffer.byteLength(text) > MOST_FRAME_BYTES) {
      this.deps.means.say(`A '${frame.type}' frame is not sent: the city would hang up at it`);
      return false;
    }
    if (frame.type === "states" && socket.bufferedAmount > MOST_BUFFERED_BYTES) return false;
    socket.send(text);
    return true;
  }

  /** Says goodbye and makes no new line. */
  stop(say: string): void {
    this.#isStopped = true;
    this.send({ type: "bye", code: 1001, say });
    const socket = this.#socket;
    this.#end(1001);
    if (socket)
      socket.once(
        "close",
        this.deps.means.after(GOODBYE_MS, () => socket.terminate()),
      );
  }

  #connect(): void {
    const { url, secret, means } = this.deps;
    const socket = new WebSocket(url, {
      headers: { Authorization: `Bearer ${secret}`, "User-Agent": `lamplighter-agent/${AGENT_VERSION}` },
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MOST_FRAME_BYTES,
      perMessageDeflate: false,
      followRedirects: false, // it would carry the secret to wherever it points
    });
    this.#socket = socket;
    // A socket that was given up may still speak.
    const mine =
      <T extends unknown[]>(then: (...given: T) => void) =>
      (...given: T) => {
        if (this.#socket === socket) then(...given);
      };
    const cut = mine((why: Cut) => {
      this.#end();
      this.#later(why);
    });
    socket.on("unexpected-response", (_request, response: IncomingMessage) => {
      response.resume();
      const sec = Number(response.headers["retry-after"]);
      cut({ kind: "refused", status: response.statusCode ?? 0, retry_after_ms: sec > 0 ? sec * 1000 : null });
      socket.terminate();
    });
    socket.on("error", () => undefined); // `close` follows
    socket.on("close", (code: number) => cut(code === 1006 ? { kind: "failed" } : { kind: "closed", code }));
    socket.on(
      "open",
      mine(() => this.#greet(socket, new Lateness(), means.mono())),
    );
  }

  #greet(socket: WebSocket, lateness: Lateness, greeted_at: number): void {
    const { means, hello, take, heard } = this.deps;
    let pong_at = greeted_at;
    const reply = (frame: FromAgent) => this.#socket === socket && this.send(frame);
    socket.send(JSON.stringify(hello()));
    const ping = () => {
      const at = means.mono();
      if (this.#welcomed_at === null) return this.#giveUp(socket, "the city didn't welcome this agent");
      if (at - pong_at > SILENT_AFTER_MS) return this.#giveUp(socket, "the city doesn't answer");
      socket.send(AGENT_PING);
      this.#callOffNext = means.after(PING_EVERY_MS, ping);
    };
    this.#callOffNext = means.after(PING_EVERY_MS, ping);
    socket.on("message", (data: RawData, isBinary: boolean) => {
      if (this.#socket !== socket) return;
      const at = means.mono();
      if (isBinary) return this.#refuse(socket, AGENT_CLOSE.not_json, "frames are text");
      const text = String(data);
      if (text === AGENT_PONG) {
        pong_at = at;
        if (this.#welcomed_at !== null) heard();
        return;
      }
      const read = readFrame(text);
      if (read.kind === "unknown") return;
      if (read.kind === "bad") return this.#refuse(socket, read.code, read.detail);
      const { frame } = read;
      const isFirst = frame.type === "welcome" && this.#welcomed_at === null;
      const delay_ms = "now" in frame ? lateness.delay(frame.now, at) : 0;
      if (frame.type === "welcome") {
        if (isFirst && at - greeted_at > SLOWEST_WELCOME_MS)
          return this.#giveUp(socket, "the city's welcome was too slow to tell the time by");
        this.#welcomed_at ??= at;
        heard();
      }
      if (this.#welcomed_at !== null || frame.type === "bye") take(frame, { at, delay_ms, reply, isFirst });
    });
  }

  #refuse(socket: WebSocket, code: number, detail: string): void {
    this.deps.means.say(`Closing the line: ${detail}`);
    socket.close(code, detail.slice(0, 100));
  }

  #giveUp(socket: WebSocket, detail: string): void {
    this.deps.means.say(`Giving up the line: ${detail}`);
    this.#end();
    socket.terminate();
    this.#later({ kind: "failed" });
  }

  /** Forgets the socket; with a code, closes it first. */
  #end(code?: number): void {
    const socket = this.#socket;
    const { mono } = this.deps.means;
    if (this.#welcomed_at !== null && mono() - this.#welcomed_at > HELD_MS) this.#failures = 0;
    this.#socket = null;
    this.#welcomed_at = null;
    this.#callOffNext();
    if (code !== undefined) socket?.close(code);
  }

  #later(cut: Cut): void {
    if (this.#isStopped) return;
    const { means } = this.deps;
    const wait_ms = waitAfter(cut, this.#failures, means.random);
    this.#failures += 1;
    means.say(`Not connected: ${explain(cut)}. Next try in ${Math.ceil(wait_ms / 1000)} s`);
    this.#callOffNext = means.after(wait_ms, () => this.#connect());
  }
}
