import { Refusal } from "#domain/errors";

/** A hash takes some 0.3 s of an isolate's only thread: more at once would stall every other request. */
const AT_ONCE = 4;
const LONGEST_WAIT_MS = 2_000;
const RETRY_AFTER_SEC = 5;

let free = AT_ONCE;
const waiting = new Set<(granted: boolean) => void>();

/** Runs work that hashes a password; waits at most two seconds for a slot. Refuses with `unavailable`. */
export async function withHashSlot<Value>(work: () => Promise<Value>): Promise<Value> {
  await takeSlot();
  try {
    return await work();
  } finally {
    // Lets other requests have the thread before the next hash begins.
    setTimeout(passOn, 0);
  }
}

function takeSlot(): Promise<void> {
  if (free > 0) {
    free -= 1;
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    const settle = (granted: boolean) => {
      clearTimeout(timer);
      waiting.delete(settle);
      if (granted) resolve();
      else reject(new Refusal("unavailable", BUSY, { retry_after_sec: RETRY_AFTER_SEC }));
    };
    const timer = setTimeout(() => settle(false), LONGEST_WAIT_MS);
    waiting.add(settle);
  });
}

function passOn(): void {
  const [next] = waiting;
  if (next) next(true);
  else free += 1;
}

const BUSY = "Too many people are signing in at this moment. Please try again in a few seconds.";
