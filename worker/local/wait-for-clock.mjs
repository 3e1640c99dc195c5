import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** As the scheduler: a clock that is behind by less stands still for it, and one that stays further behind is followed. */
const BEHIND_MS = 600_000;
const PATIENCE_MS = 600_000;
const LOOK_EVERY_MS = 1_000;

/**
 * Waits, for ten minutes at most, while the clock is behind what was last written to the state: a small computer without a clock
 * of its own starts with an old date after a power cut. By that one lights would go out, and what is known of tonight be forgotten.
 */
export async function waitForClock(state_dir, { now = Date.now, wait = sleep, say = console.log } = {}) {
  const last = await lastWritten(state_dir);
  const isBehind = () => last - now() > BEHIND_MS;
  if (!isBehind()) return;
  say(
    `The clock says ${utc(now())}, but this server ran until ${utc(last)}. Waiting ten minutes at most for the network's time.`,
  );
  for (let waited_ms = 0; waited_ms < PATIENCE_MS && isBehind(); waited_ms += LOOK_EVERY_MS) await wait(LOOK_EVERY_MS);
  if (isBehind()) say(`The clock says ${utc(now())} still. Going by it.`);
}

/** When a database of the state was last written (epoch ms); 0 where there is none. */
async function lastWritten(state_dir) {
  const names = await readdir(state_dir, { recursive: true });
  const databases = names.filter((name) => /\.sqlite(-wal)?$/.test(name));
  const written = await Promise.all(databases.map(async (name) => (await stat(join(state_dir, name))).mtimeMs));
  return Math.max(0, ...written);
}

function utc(at) {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
