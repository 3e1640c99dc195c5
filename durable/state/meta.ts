import { insertRows } from "./insert-rows";
import type { Store } from "./kept";
import { keptTable } from "./kept-table";

const facts = keptTable<string>({
  read: (sql, key) =>
    sql.exec<{ value: string }>("SELECT value FROM meta WHERE key = ?", key).toArray()[0]?.value ?? null,
  write: (sql, rows) =>
    insertRows(
      sql,
      "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
      rows.map(({ key, row }) => [key, row]),
    ),
  drop: (sql, key) => void sql.exec("DELETE FROM meta WHERE key = ?", key),
  isSame: (before, after) => before === after,
  most: 100,
});

/** A small fact about the object itself: its organization, the plan's version, the last seq. */
export function meta(sql: Store, key: string): string | null {
  return facts(sql).get(key);
}

/** Keeps a small fact; must run inside a transaction. */
export function setMeta(sql: Store, key: string, value: string): void {
  facts(sql).put(key, value);
}

/** How far the clock of the engine had come when it last changed anything, to the second (epoch ms). */
export function clockOf(sql: Store): number {
  return Number(meta(sql, "clock") ?? 0);
}

/**
 * The next number in the order of what happened here. It follows the clock, so that it stays ahead of what D1 has
 * even where the object was lost and began anew.
 */
export function nextSeq({ sql, now }: { sql: Store; now: () => number }): number {
  const seq = Math.max(Number(meta(sql, "seq") ?? 0) + 1, now());
  setMeta(sql, "seq", String(seq));
  return seq;
}

/** The organization this object serves; set by the first call it ever had. */
export function orgId({ sql }: { sql: Store }): string {
  const org_id = meta(sql, "org_id");
  if (org_id === null) throw new Error("the object has no organization yet");
  return org_id;
}
