import type { Now } from "./lamp-on-site";

/** What the agent's time is counted from: `at` was the time (epoch ms) when the monotonic clock stood at `mono`. */
export type SiteClock = Now;

/** The city has said that it is `at` (epoch ms), when the monotonic clock stood at `mono` (ms). */
export function cityClock(at: number, mono: number): SiteClock {
  return { at, mono, isTrusted: true };
}

/**
 * The clock of an agent that starts without the city. The computer's own counts only if network time has set it and it is
 * not behind the last time that was stored; else the later of the two is no more than a guess. All in epoch ms.
 */
export function lonelyClock(own: { at: number; isSynced: boolean }, stored: number, mono: number): SiteClock {
  return { at: Math.max(own.at, stored), mono, isTrusted: own.isSynced && own.at >= stored };
}

/** What time it is when the monotonic clock stands at `mono` (ms); the computer's own clock may jump meanwhile. */
export function timeAt(clock: SiteClock, mono: number): Now {
  return { ...clock, at: clock.at + (mono - clock.mono), mono };
}
