/** Waits, for ten minutes at most, while the clock is behind what was last written to the state. */
export function waitForClock(
  state_dir: string,
  means?: {
    now?: () => number;
    wait?: (ms: number) => Promise<unknown>;
    say?: (line: string) => void;
  },
): Promise<void>;
