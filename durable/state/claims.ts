import { keptTable, type Store } from "./kept";

/**
 * What is remembered of an occurrence that has held a device on, or would have. `outcome` is null until it has a record;
 * `note` is what keeps it dark, for the record of one that is never lit.
 */
export type RememberedClaim = {
  schedule_id: string;
  /** Of its recurrence: with it an occurrence stays the same one when its times are edited. */
  date: string;
  start: number;
  end: number;
  outcome: string | null;
  note: string | null;
};

/** A device has a handful: those of the last two days. They are read and written together. */
const claims = keptTable<readonly RememberedClaim[]>({
  read: (sql, device_id) =>
    sql
      .exec<RememberedClaim>(
        "SELECT schedule_id, date, start, end, outcome, note FROM claims WHERE device_id = ? ORDER BY end, schedule_id, date",
        device_id,
      )
      .toArray(),
  write: (sql, device_id, rows, stored) => {
    const isMore = stored?.every((known) => rows.some((row) => isSameNight(row, known))) ?? false;
    if (!isMore) drop(sql, device_id);
    sql.exec(
      `INSERT OR REPLACE INTO claims (schedule_id, date, start, device_id, end, outcome, note)
         SELECT value ->> 'schedule_id', value ->> 'date', value ->> 'start', ?, value ->> 'end', value ->> 'outcome', value ->> 'note'
         FROM json_each(?)`,
      device_id,
      JSON.stringify(isMore ? rows.filter((row) => !stored?.includes(row)) : rows),
    );
  },
  drop,
  isSame: (before, after) => before === after,
  most: 10_000,
});

type Night = Pick<RememberedClaim, "schedule_id" | "date">;

function isSameNight(a: Night, b: Night): boolean {
  return a.schedule_id === b.schedule_id && a.date === b.date;
}

function drop(sql: SqlStorage, device_id: string): void {
  sql.exec("DELETE FROM claims WHERE device_id = ?", device_id);
}

/** The claims of a device, whichever schedule they are of. */
export function claimsOf(sql: Store, device_id: string): readonly RememberedClaim[] {
  return claims(sql).get(device_id) ?? [];
}

/** The claim of one occurrence; null where nobody has heard of it. */
export function claimAt(sql: Store, device_id: string, night: Night): RememberedClaim | null {
  return claimsOf(sql, device_id).find((claim) => isSameNight(claim, night)) ?? null;
}

/** Remembers a claim, in the place of what was known of its occurrence. */
export function putClaim(sql: Store, device_id: string, claim: RememberedClaim): void {
  const known = claimAt(sql, device_id, claim);
  const { schedule_id, date, start, end, outcome, note } = claim;
  const isSame = known?.start === start && known.end === end && known.outcome === outcome && known.note === note;
  if (isSame) return;
  const others = claimsOf(sql, device_id).filter((other) => other !== known);
  claims(sql).put(device_id, [...others, { schedule_id, date, start, end, outcome, note }]);
}

/** Forgets what ended before `at` (epoch ms). */
export function forgetClaimsBefore(sql: Store, device_id: string, at: number): void {
  const all = claimsOf(sql, device_id);
  if (all.some(({ end }) => end < at)) {
    const kept = all.filter(({ end }) => end >= at);
    claims(sql).put(device_id, kept);
  }
}

export function forgetClaims(sql: Store, device_id: string): void {
  claims(sql).drop(device_id);
}
