import { after } from "#durable/providers/after";
import { readFile } from "node:fs/promises";
import { isClockSet } from "./is-clock-set";

/** What the program needs of the computer that it runs on; tests bring their own. */
export type Means = {
  /** Ms since the computer was started. Nobody can set it, and it never goes back. */
  mono: () => number;
  /** The computer's own clock, epoch ms, which may be wrong. */
  wall: () => number;
  /** Whether the network's time has set that clock since the computer was started. */
  isClockSet: () => Promise<boolean>;
  /** Differs between two starts of the computer; null where nobody can tell. */
  started: () => Promise<string | null>;
  /** Calls back after `ms`; answers how to call it off. */
  after: (ms: number, then: () => void) => () => void;
  /** From 0 up to 1. */
  random: () => number;
  /** Writes one line of the journal; never a secret. */
  say: (line: string) => void;
};

/** The computer itself; its journal is standard output, which systemd keeps. */
export function realMeans(): Means {
  return {
    mono: () => Number(process.hrtime.bigint() / 1000n) / 1000,
    wall: () => Date.now(),
    isClockSet,
    started: () =>
      readFile("/proc/sys/kernel/random/boot_id", "utf8").then(
        (id) => id.trim(),
        () => null,
      ),
    after,
    random: Math.random,
    say: (line) => console.log(line),
  };
}
