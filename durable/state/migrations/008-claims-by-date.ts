import { toWall } from "#domain/time/wall-clock";

type OldClaim = { schedule_id: string; start: number; zone: string | null };

/**
 * An occurrence is known by the date of its recurrence: its start moves when it is edited, or with the sun. Until now every
 * start was a time of its date by the clock; of two on one date the later one is what is planned.
 */
export function claimsByDate(sql: SqlStorage): void {
  const dates = sql
    .exec<OldClaim>(
      `SELECT DISTINCT schedule_id, start,
         (SELECT body ->> 'timezone' FROM plan WHERE kind = 'schedule' AND id = schedule_id) AS zone FROM claims`,
    )
    .toArray()
    .map(({ schedule_id, start, zone }) => [schedule_id, start, dateOf(start, zone ?? "UTC")]);
  sql.exec(`
    ALTER TABLE claims RENAME TO old_claims;
    DROP INDEX claims_device;
    DROP INDEX claims_open;
    CREATE TABLE claims (
      schedule_id TEXT NOT NULL, date TEXT NOT NULL, start INTEGER NOT NULL, device_id TEXT NOT NULL,
      end INTEGER NOT NULL, outcome TEXT, note TEXT, PRIMARY KEY (schedule_id, date, device_id)
    ) WITHOUT ROWID;
    CREATE INDEX claims_device ON claims (device_id, end);
    CREATE INDEX claims_open ON claims (device_id, end) WHERE outcome IS NULL`);
  sql.exec(
    `INSERT OR REPLACE INTO claims (schedule_id, date, start, device_id, end, outcome, note)
       SELECT schedule_id, dated.value ->> 2, start, device_id, end, outcome, note
       FROM json_each(?) dated JOIN old_claims ON schedule_id = dated.value ->> 0 AND start = dated.value ->> 1
       ORDER BY start`,
    JSON.stringify(dates),
  );
  sql.exec("DROP TABLE old_claims");
}

function dateOf(start: number, zone: string): string {
  return new Date(toWall(zone, start)).toISOString().slice(0, 10);
}
