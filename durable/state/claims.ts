import { insertRows } from "./insert-rows";
import type { Store } from "./kept";
import { keptTable, type Written } from "./kept-table";

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

/** A device has a handful: those of the last two days, and of a week where its agent has yet to tell of them. They are read and written together. */
const claims = keptTable<readonly RememberedClaim[]>({
  read: (sql, device_id) =>
    sql
      .exec<RememberedClaim>(
        "SELECT schedule_id, date, start, end, outcome, note FROM claims WHERE device_id = ? ORDER BY end, schedule_id, date",
        device_id,
      )
      .toArray(),
  readMany,
  write,
  drop,
  isSame: (before, after) => before === after,
  most: 10_000,
});

/** Every device has its list, if only an empty one. */
function readMany(sql: Store, device_ids: string): [string, RememberedClaim[]][] {
  const found = sql.exec<RememberedClaim & { device_id: string }>(
    `SELECT device_id, schedule_id, date, start, end, outcome, note
     FROM json_each(?) CROSS JOIN claims ON device_id = value`,
    device_ids,
  );
  const all = new Map<string, RememberedClaim[]>(JSON.parse(device_ids).map((device_id: string) => [device_id, []]));
  for (const { device_id, ...claim } of found) all.get(device_id)?.push(claim);
  for (const some of all.values()) some.sort((a, b) => a.end - b.end);
  return [...all];
}

/** Where some are only added, those alone are written; else the device's are written anew. */
function write(sql: SqlStorage, lists: Written<readonly RememberedClaim[]>[]): void {
  const anew: string[] = [];
  const added: SqlStorageValue[][] = [];
  for (const { key, row, stored } of lists) {
    const isMore = stored?.every((known) => row.some((claim) => isSameNight(claim, known))) ?? false;
    if (!isMore) anew.push(key);
    for (const claim of row) if (!isMore || !stored?.includes(claim)) added.push(columnsOf(key, claim));
  }
  if (anew.length > 0)
    sql.exec("DELETE FROM claims WHERE device_id IN (SELECT value FROM json_each(?))", JSON.stringify(anew));
  insertRows(
    sql,
    "INSERT OR REPLACE INTO claims (schedule_id, date, start, device_id, end, outcome, note) VALUES (?, ?, ?, ?, ?, ?, ?)",
    added,
  );
}

function columnsOf(device_id: string, claim: RememberedClaim): SqlStorageValue[] {
  return [claim.schedule_id, claim.date, claim.start, device_id, claim.end, claim.outcome, claim.note];
}

/** Reads the claims of these devices, all at once. */
export function loadClaims(sql: Store, device_ids: string[]): void {
  claims(sql).load?.(device_ids);
}

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

/** Forgets what ended before `at` (epoch ms) and has its record; what waits for one is remembered until then. */
export function forgetClaimsBefore(sql: Store, device_id: string, at: number): void {
  const all = claimsOf(sql, device_id);
  const kept = all.filter(({ end, outcome }) => end >= at || outcome === null);
  if (kept.length < all.length) claims(sql).put(device_id, kept);
}

/** Forgets all of them, as of a device that is no more. */
export function forgetClaims(sql: Store, device_id: string): void {
  claims(sql).drop(device_id);
}
