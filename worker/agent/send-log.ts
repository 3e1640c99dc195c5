import type { AgentLogEntry, FromAgent } from "#domain/agent/frames";
import type { Means } from "./means";

/** A frame holds 64 KiB, and the city takes a hundred frames in ten seconds. */
const MOST_ENTRIES = 100;
const MOST_BYTES = 60_000;
const APART_MS = 150;

/** Tells the city the entries, in their order, frame after frame; ends where the line does. */
export function sendLog(entries: AgentLogEntry[], means: Means, reply: (frame: FromAgent) => boolean): void {
  const frames = framesOf(entries);
  const next = (n: number): void => {
    const part = frames[n];
    if (!part || !reply({ type: "log", entries: part, isLast: n === frames.length - 1 })) return;
    means.after(APART_MS, () => next(n + 1));
  };
  next(0);
}

function framesOf(entries: AgentLogEntry[]): AgentLogEntry[][] {
  const frames: AgentLogEntry[][] = [];
  let bytes = Infinity;
  for (const entry of entries) {
    const size = Buffer.byteLength(JSON.stringify(entry)) + 1;
    const last = frames.at(-1);
    if (!last || bytes + size > MOST_BYTES || last.length === MOST_ENTRIES) {
      frames.push([entry]);
      bytes = size;
    } else {
      last.push(entry);
      bytes += size;
    }
  }
  return frames;
}
