import { settingsOf } from "#durable/state/plan";
import type { ProviderResult } from "#durable/providers/provider";
import type { EngineContext } from "#durable/state/context";

/** After this many failures in a row a hub's queue is paused (design 3). */
const FAILURES_TO_PAUSE = 2;
/** While paused, commands fail at once instead of waiting for it; the first one afterwards is the probe. */
const PAUSE_MS = 15_000;

/** What a call says about its hub: a hub that answers for a silent device is well. Null: it was not asked. */
export function isAlive(answer: ProviderResult): boolean | null {
  if (answer.ok || answer.reason === "device") return true;
  // Not asked, or asked in vain by our own fault: that says nothing of the hub.
  return answer.reason === "refused" || answer.reason === "throttled" ? null : false;
}

/** Counts what a call says about its hub. Answers whether the hub is back from trouble that a ladder may have ended in. */
export function noteHub(context: EngineContext, hub: string, answer: ProviderResult): boolean {
  const alive = isAlive(answer);
  if (alive === null) return false;
  if (alive) {
    const rows = context.sql.exec<{ failures: number }>(
      "DELETE FROM hub_trouble WHERE hub = ? RETURNING failures",
      hub,
    );
    const ladder = settingsOf(context.sql).RETRY_BACKOFFS_SEC.length + 1;
    return rows.toArray().some(({ failures }) => failures >= Math.min(ladder, FAILURES_TO_PAUSE));
  }
  context.sql.exec(
    `INSERT INTO hub_trouble (hub, failures, paused_until) VALUES (?1, 1, 0)
     ON CONFLICT (hub) DO UPDATE SET failures = failures + 1,
       paused_until = CASE WHEN failures + 1 >= ?2 THEN ?3 ELSE 0 END`,
    hub,
    FAILURES_TO_PAUSE,
    context.now() + PAUSE_MS,
  );
  return false;
}

export function isPaused(context: EngineContext, hub: string): boolean {
  // A lamp without a hub has nobody else to be spared from.
  if (!hub.startsWith("hub:")) return false;
  const [row] = context.sql
    .exec("SELECT 1 FROM hub_trouble WHERE hub = ? AND paused_until > ?", hub, context.now())
    .toArray();
  return row !== undefined;
}
