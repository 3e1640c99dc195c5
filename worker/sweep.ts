import { refreshComingWindows } from "#db/coming-windows";
import { database, type Database } from "#db/database";
import { organizations } from "#db/organizations";
import { forgetRestores } from "#db/restore";
import { prune } from "#db/retention";
import { archiveOldRecords } from "#worker/archive/archive-old-records";
import { retentionDays } from "#worker/archive/retention-days";
import { schedulerHealth, type Answered } from "#db/scheduler-health";
import { causeOf } from "#domain/errors";
import { isLate, LATE_MS } from "#domain/alarms/scheduler-health";
import { pingDeadman } from "#worker/deadman";
import type { Bindings } from "#worker/wiring";
import { askAll } from "#worker/health/ask";
import { log } from "#worker/log";
import { DAY_MS } from "#domain/time/units";

/** A scheduler that is switching a city may take a while; the next sweep comes in five minutes. */
const PATIENCE_MS = 20_000;

/**
 * Lets every active organization's object check that its alarm is armed, and updates the stored windows of schedules whose
 * window is over, so that no person's request has to. Tells the watching service that all is well, where it is: where the
 * database is away, a scheduler late or silent, or this never runs, it hears nothing. Rejects where the database is away.
 */
export async function sweep(
  env: Pick<Bindings, "DB" | "SCHEDULER" | "DEADMAN_URL">,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<void> {
  const db = database(env.DB);
  const org_ids = (await organizations(db).active()).map(({ id }) => id);
  const answers = await askAll(env, "ensure", org_ids, PATIENCE_MS);
  const isKept = await keep(db, answers);
  const areRefreshed = await refreshAll(db, org_ids);
  const isWell = isKept && areRefreshed && answers.every(({ report }) => report !== null && !isLate(report));
  if (isWell) await pingDeadman(env.DEADMAN_URL, (url, init) => fetch(url, init));
}

/** What was found, for /api/health; and the alarm of a scheduler that is silent, which cannot open it itself. */
async function keep(db: Database, answers: Answered[]): Promise<boolean> {
  const at = new Date();
  const health = schedulerHealth(db);
  try {
    await db.batch([
      health.note(answers, at.toISOString(), { isSweep: true }),
      health.openAlarms(at.toISOString(), new Date(at.getTime() - LATE_MS).toISOString()),
      health.endAlarms(at.toISOString()),
    ]);
    return true;
  } catch (caught) {
    log("error", "sweep.failed", causeOf(caught));
    return false;
  }
}

/** One that fails stops no other. */
async function refreshAll(db: Database, org_ids: string[]): Promise<boolean> {
  let areRefreshed = true;
  for (const org_id of org_ids) {
    try {
      await refreshComingWindows(db, org_id, new Date().toISOString());
    } catch (caught) {
      areRefreshed = false;
      log("error", "sweep.failed", { org_id, ...causeOf(caught) });
    }
  }
  return areRefreshed;
}

/** Deletes logs older than LOG_RETENTION_DAYS, and restores that were broken off; once a day. */
export async function pruneOldRecords(env: Pick<Bindings, "DB" | "LOG_RETENTION_DAYS">): Promise<void> {
  const db = database(env.DB);
  await prune(db, new Date(), retentionDays(env));
  await forgetRestores(db, new Date(Date.now() - DAY_MS).toISOString());
}

/** Moves logs older than 90 days to the archive, as far as one event may; without a bucket they stay where they are. */
export async function archiveLogs(env: Pick<Bindings, "DB" | "ARCHIVE" | "LOG_RETENTION_DAYS">): Promise<void> {
  const { DB, ARCHIVE } = env;
  if (ARCHIVE) await archiveOldRecords({ DB, ARCHIVE }, retentionDays(env));
  else log("info", "archive.off", { reason: "no bucket is bound as ARCHIVE" });
}
