import { refreshComingWindows } from "#db/coming-windows";
import { database } from "#db/database";
import { organizations } from "#db/organizations";
import { prune } from "#db/retention";
import type { Bindings } from "#worker/context";
import { causeOf, log } from "#worker/log";

/** A worker may have six connections at a time. */
const AT_ONCE = 6;

/**
 * Lets every active organization's object check that its alarm is armed, and updates the stored windows of schedules whose
 * window is over, so that no person's request has to.
 */
export async function sweep({ DB, SCHEDULER }: Pick<Bindings, "DB" | "SCHEDULER">): Promise<void> {
  const db = database(DB);
  const waiting = await organizations(db).active();

  async function ensureNext(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { id } = next;
      try {
        await SCHEDULER.get(SCHEDULER.idFromName(id)).ensure(id);
        await refreshComingWindows(db, id, new Date().toISOString());
      } catch (caught) {
        log("error", "sweep.failed", { org_id: id, ...causeOf(caught) });
      }
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, ensureNext));
}

/** Deletes logs older than LOG_RETENTION_DAYS, once a day. */
export async function pruneOldRecords({
  DB,
  LOG_RETENTION_DAYS,
}: Pick<Bindings, "DB" | "LOG_RETENTION_DAYS">): Promise<void> {
  const days = Number(LOG_RETENTION_DAYS);
  await prune(database(DB), new Date(), Number.isInteger(days) && days > 0 ? days : 400);
}
