import { archivable, ARCHIVED_LOGS } from "#db/archive";
import { archiveHealth } from "#db/archive-health";
import { database, type Database } from "#db/database";
import { organizations } from "#db/organizations";
import { compare } from "#domain/compare";
import { causeOf } from "#domain/errors";
import { ARCHIVE_AFTER_DAYS } from "#domain/lists/archive";
import { archiveDay, type Budget } from "#worker/archive/archive-day";
import { dropBefore, type Shelf } from "#worker/archive/bucket";
import { daysBefore, nextDay } from "#worker/archive/utc-days";
import { log } from "#worker/log";
import { toIso } from "#domain/time/to-iso";

/** The calls of one run. A worker may call a thousand times per event, of which retention needs up to five hundred. */
const MOST_CALLS = 450;
/** Of these, what finds the organizations, and what notes of each how far it has come. */
const CALLS_TO_BEGIN = 2;
const CALLS_TO_NOTE = ARCHIVED_LOGS.length + 1;
/** A log that fails on so many days of a run is left until the next one: it is the bucket, then, and not the day. */
const MOST_FAILURES = 3;

export type ArchiveRun = { days: number; rows: number; dropped: number; failed: number };
type Means = { db: Database; bucket: R2Bucket; now: number; keep_days: number; budget: Budget };

/**
 * Moves what is older than 90 days from D1 to the bucket, the oldest first, a log of an organization after the other, until
 * nothing is left or the run's budget is used up; the next run begins with those that it did not come to. Deletes the files that
 * are older than `keep_days`. A day that fails is logged, and the others go on.
 */
export async function archiveOldRecords(
  { DB, ARCHIVE }: { DB: D1Database; ARCHIVE: R2Bucket },
  keep_days: number,
  { now = Date.now(), calls = MOST_CALLS }: { now?: number; calls?: number } = {},
): Promise<ArchiveRun> {
  const means = { db: database(DB), bucket: ARCHIVE, now, keep_days, budget: { calls: calls - CALLS_TO_BEGIN } };
  const run: ArchiveRun = { days: 0, rows: 0, dropped: 0, failed: 0 };
  for (const [n, org_id] of (await longestUnseen(means.db)).entries()) {
    if (means.budget.calls <= CALLS_TO_NOTE) break;
    means.budget.calls -= CALLS_TO_NOTE;
    let failed: string | null = null;
    for (const name of ARCHIVED_LOGS) {
      if (means.budget.calls <= 0) break;
      failed = (await archiveLog({ bucket: means.bucket, org_id, log: name }, means, run)) ?? failed;
    }
    await note(means, { org_id, failed, isFirst: n === 0 });
  }
  log("info", "archive.done", { ...run, calls_left: means.budget.calls });
  return run;
}

/**
 * What waits still, for whoever looks after the deployment. Of one that the run had too few calls left for nothing is noted,
 * so that the next one begins with it. Never rejects.
 */
async function note(
  { db, now, keep_days }: Means,
  { org_id, failed, isFirst }: { org_id: string; failed: string | null; isFirst: boolean },
): Promise<void> {
  try {
    const firsts = await Promise.all(
      ARCHIVED_LOGS.map((name) =>
        archivable(db, org_id, name).first(daysBefore(now, keep_days), daysBefore(now, ARCHIVE_AFTER_DAYS)),
      ),
    );
    const [oldest] = firsts.filter((at) => at !== null).toSorted();
    const waiting_since = oldest?.slice(0, 10) ?? null;
    if (waiting_since !== null && failed === null && !isFirst) return;
    await archiveHealth(db).note({ org_id, run_at: toIso(now), waiting_since, failed });
  } catch (caught) {
    log("error", "archive.not_noted", { org_id, ...causeOf(caught) });
  }
}

/** Answers what could not be done last, 'device-events 2026-08-01'; null: nothing failed. */
async function archiveLog(
  shelf: Shelf,
  { db, now, keep_days, budget }: Means,
  run: ArchiveRun,
): Promise<string | null> {
  const before = daysBefore(now, ARCHIVE_AFTER_DAYS);
  const kept_from = daysBefore(now, keep_days);
  const source = archivable(db, shelf.org_id, shelf.log);
  let failures = 0;
  let failed: string | null = null;

  async function attempt(day: string | null, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (caught) {
      failures += 1;
      run.failed += 1;
      failed = day === null ? shelf.log : `${shelf.log} ${day}`;
      log("error", "archive.failed", { org_id: shelf.org_id, log: shelf.log, day, ...causeOf(caught) });
    }
  }

  await attempt(null, async () => {
    budget.calls -= 1;
    const dropped = await dropBefore(shelf, kept_from);
    if (dropped > 0) budget.calls -= 1;
    run.dropped += dropped;
  });
  let since = kept_from;
  while (budget.calls > 0 && failures < MOST_FAILURES && since < before) {
    budget.calls -= 1;
    const first = await source.first(since, before);
    if (first === null) break;
    const day = first.slice(0, 10);
    since = nextDay(day);
    await attempt(day, async () => {
      const rows = await archiveDay(shelf, db, { day, before }, budget);
      run.rows += rows;
      run.days += rows > 0 ? 1 : 0;
      // A day of more rows than one step moves is gone on with.
      if (rows > 0) since = day;
    });
  }
  return failed;
}

/**
 * The organizations, those first to which no run has come for longest, so that none waits for ever behind others: a first one
 * that goes by the clock is the same every day where their number divides the runs' distance.
 */
async function longestUnseen(db: Database): Promise<string[]> {
  const [ids, found] = await Promise.all([organizations(db).ids(), archiveHealth(db).list()]);
  const seen = new Map(found.map(({ org_id, run_at }) => [org_id, run_at]));
  const seenAt = (id: string) => seen.get(id) ?? "";
  return ids.toSorted((a, b) => compare(seenAt(a), seenAt(b)));
}
