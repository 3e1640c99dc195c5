import { Refusal } from "#domain/errors";
import { sleep } from "#worker/sleep";

/** A hash takes about 0.3 s of the isolate's only thread; more at once would stall every other request. */
const AT_ONCE = 4;
const LONGEST_WAIT_MS = 2_000;
const LOOK_EVERY_MS = 25;
const RETRY_AFTER_SEC = 5;
/** A request may be aborted with its client; its slot is freed after this. */
const LONGEST_HOLD_MS = 15_000;

const held = new Set<{ since: number }>();

/** Runs work that hashes a password; waits at most two seconds for a slot. Refuses with `unavailable`. */
export async function withHashSlot<Value>(work: () => Promise<Value>): Promise<Value> {
  const slot = await takeSlot();
  try {
    return await work();
  } finally {
    held.delete(slot);
  }
}

/** Each request polls by itself, because on Workers one request must not wait for another's promise. */
async function takeSlot(): Promise<{ since: number }> {
  const until = Date.now() + LONGEST_WAIT_MS;
  while (!isFree()) {
    if (Date.now() >= until) throw new Refusal("unavailable", BUSY, { retry_after_sec: RETRY_AFTER_SEC });
    await sleep(LOOK_EVERY_MS);
  }
  const slot = { since: Date.now() };
  held.add(slot);
  return slot;
}

function isFree(): boolean {
  for (const slot of held) if (slot.since < Date.now() - LONGEST_HOLD_MS) held.delete(slot);
  return held.size < AT_ONCE;
}

const BUSY = "Too many people are signing in at this moment. Please try again in a few seconds.";
