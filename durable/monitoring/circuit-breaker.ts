import { settingsOf } from "#durable/state/plan";
import type { Answer } from "#durable/providers/provider";
import type { Room } from "#durable/state/context";

/** After this many failures in a row a hub's queue is paused (design 3). */
const FAILURES_TO_PAUSE = 2;
/** While paused, commands fail at once instead of waiting for it; the first one afterwards is the probe. */
const PAUSE_MS = 15_000;

/** What a call says about its hub: a hub that answers for a silent device is well. Null: it was not asked. */
export function isAlive(answer: Answer): boolean | null {
  if (answer.ok || answer.reason === "device") return true;
  // Not asked, or asked in vain by our own fault: that says nothing of the hub.
  return answer.reason === "refused" || answer.reason === "throttled" ? null : false;
}

/** Counts what a call says about its hub. Answers whether the hub is back from trouble that a ladder may have ended in. */
export function noteHub(room: Room, hub: string, answer: Answer): boolean {
  const alive = isAlive(answer);
  if (alive === null) return false;
  if (alive) {
    const rows = room.sql.exec<{ failures: number }>("DELETE FROM hub_trouble WHERE hub = ? RETURNING failures", hub);
    const ladder = settingsOf(room.sql).RETRY_BACKOFFS_SEC.length + 1;
    return rows.toArray().some(({ failures }) => failures >= Math.min(ladder, FAILURES_TO_PAUSE));
  }
  room.sql.exec(
    `INSERT INTO hub_trouble (hub, failures, paused_until) VALUES (?1, 1, 0)
     ON CONFLICT (hub) DO UPDATE SET failures = failures + 1,
       paused_until = CASE WHEN failures + 1 >= ?2 THEN ?3 ELSE 0 END`,
    hub,
    FAILURES_TO_PAUSE,
    room.now() + PAUSE_MS,
  );
  return false;
}

export function isPaused(room: Room, hub: string): boolean {
  // A lamp without a hub has nobody else to be spared from.
  if (!hub.startsWith("hub:")) return false;
  const [row] = room.sql
    .exec("SELECT 1 FROM hub_trouble WHERE hub = ? AND paused_until > ?", hub, room.now())
    .toArray();
  return row !== undefined;
}
