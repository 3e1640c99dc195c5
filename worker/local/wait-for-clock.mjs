import { readdir, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** As the scheduler: a clock that is behind by less stands still for it, and one that stays further behind is followed. */
const BEHIND_MS = 600_000;
const PATIENCE_MS = 600_000;
const LOOK_EVERY_MS = 1_000;

/**
 * Waits, for ten minutes at most, while the clock is behind what was last written to the state: a small computer without a clock
 * of its own starts with an old date after a power cut. By that one lights would go out, and what is known of tonight be forgotten.
 * A clock that stays behind is believed: the files bear its date from then on, or each start would wait for the same again.
 */
export async function waitForClock(state_dir, { now = Date.now, wait = sleep, say = console.log } = {}) {
  const databases = await databasesIn(state_dir);
  const last = Math.max(0, ...databases.map(({ written_at }) => written_at));
  const isBehind = () => last - now() > BEHIND_MS;
  if (!isBehind()) return;
  say(
    `The clock says ${utc(now())}, but this server ran until ${utc(last)}. Waiting ten minutes at most for the network's time.`,
  );
  for (let waited_ms = 0; waited_ms < PATIENCE_MS && isBehind(); waited_ms += LOOK_EVERY_MS) await wait(LOOK_EVERY_MS);
  if (!isBehind()) return;
  say(`The clock says ${utc(now())} still. Going by it.`);
  const at = now() / 1_000;
  const ahead = databases.filter(({ written_at }) => written_at > now());
  // Where the files are another user's, the next start waits, too.
  await Promise.allSettled(ahead.map(({ path }) => utimes(path, at, at)));
}

/** The databases of the state, and when each was last written (epoch ms); none that cannot be read. */
async function databasesIn(state_dir) {
  const folder = join(state_dir, "v3"); // beside it may lie what is nobody's to read: a disk of its own has a `lost+found`
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const paths = names.filter((name) => /\.sqlite(-wal)?$/.test(name)).map((name) => join(folder, name));
  const found = await Promise.allSettled(paths.map(async (path) => ({ path, written_at: (await stat(path)).mtimeMs })));
  return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}

function utc(at) {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
