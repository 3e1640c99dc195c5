import type { AgentLogEntry, FromAgent } from "#domain/agent/frames";
import type { Means } from "./means";

/** A frame holds 64 KiB, and the city takes a hundred frames in ten seconds. */
const MOST_ENTRIES = 100;
const MOST_BYTES = 60_000;
const APART_MS = 150;

type Reply = (frame: FromAgent) => boolean;

/**
 * Tells the city the log, frame after frame. What is added meanwhile waits for its place: of an entry that comes after a
 * later one the city takes it that it knows it already.
 */
export class LogSender {
  #reply: Reply = () => false;
  /** The last entry that was sent on this line. */
  #upto = 0;
  /** Calls the next frame off; null where none waits for its time. */
  #callOff: (() => void) | null = null;

  constructor(
    private readonly means: Means,
    private readonly all: () => AgentLogEntry[],
  ) {}

  /** There is another line, on which nothing was told yet. */
  begin(reply: Reply): void {
    this.#callOff?.();
    this.#callOff = null;
    this.#reply = reply;
    this.#upto = 0;
    this.tell();
  }

  /** Sends what was not sent yet; ends where the line does. */
  tell(): void {
    if (this.#callOff) return;
    const waiting = this.all().filter(({ n }) => n > this.#upto);
    const entries = firstFrame(waiting);
    const last = entries.at(-1);
    if (!last || !this.#reply({ type: "log", entries, isLast: entries.length === waiting.length })) return;
    this.#upto = last.n;
    this.#callOff = this.means.after(APART_MS, () => {
      this.#callOff = null;
      this.tell();
    });
  }
}

/** As many of the first entries as a frame holds. */
function firstFrame(entries: AgentLogEntry[]): AgentLogEntry[] {
  let bytes = 0;
  const end = entries.slice(0, MOST_ENTRIES).findIndex((entry) => {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return bytes > MOST_BYTES;
  });
  return entries.slice(0, end > 0 ? end : MOST_ENTRIES);
}
