import { refreshComingWindows } from "#db/coming-windows";
import { database } from "#db/database";
import { organizations } from "#db/organizations";
import { prune } from "#db/retention";
import { archiveOldRecords } from "#worker/archive/archive-old-records";
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
export async function pruneOldRecords(env: Pick<Bindings, "DB" | "LOG_RETENTION_DAYS">): Promise<void> {
  await prune(database(env.DB), new Date(), retentionDays(env));
}

/** Moves logs older than 90 days to the archive, as far as one event may; without a bucket they stay where they are. */
export async function archiveLogs(env: Pick<Bindings, "DB" | "ARCHIVE" | "LOG_RETENTION_DAYS">): Promise<void> {
  const { DB, ARCHIVE } = env;
  if (ARCHIVE) await archiveOldRecords({ DB, ARCHIVE }, retentionDays(env));
  else log("info", "archive.off", { reason: "no bucket is bound as ARCHIVE" });
}

function retentionDays({ LOG_RETENTION_DAYS }: Pick<Bindings, "LOG_RETENTION_DAYS">): number {
  const days = Number(LOG_RETENTION_DAYS);
  return Number.isInteger(days) && days > 0 ? days : 400;
}
