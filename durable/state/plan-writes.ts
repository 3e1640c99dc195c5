import { CHARACTERS_AT_ONCE, parts } from "#db/parts";
import type { Member } from "#db/planned";
import { forgetPlan } from "./plan";
import { readable } from "./body";
import type { Store } from "./kept";
import { forgetLimits } from "./limits";
import { notOfTheFuture } from "./plan-instants";
import { ownerOf, readRow, viaOf, windowsKey, type D1Rows, type PlanKind } from "./plan-rows";

/** So many ids are one statement's, well below what it may carry. */
const IN_ONE_STATEMENT = 250;

/**
 * Takes in rows of a kind. One that plans other windows than the copy did plans them since `changedAt` (epoch ms);
 * D1's `updated_at` is no answer where a restore brought an old row back. What is as it was is not written. A schedule and a
 * calendar keep what they planned until then: without it, what that held on would seem to have had nothing that did. Nothing
 * was made after `now` (epoch ms), whatever a clock said that was ahead.
 */
export function putPlan<K extends PlanKind>(
  sql: Store,
  kind: K,
  stored: D1Rows[K][],
  { now, changedAt }: { now: number; changedAt: (row: D1Rows[K]) => number },
): void {
  const inTime = notOfTheFuture(kind, now);
  for (const some of inPieces(stored)) {
    const known = bodiesOf(
      sql,
      kind,
      some.map(({ id }) => id),
    );
    const changed = some.flatMap((as_stored) => {
      const row = inTime(as_stored, known.get(as_stored.id));
      const body = JSON.stringify({ ...row, ...plannedBefore(kind, row, known.get(row.id), changedAt) });
      return body === known.get(row.id) ? [] : [{ row, body }];
    });
    // Of groups with hundreds of lights, 250 rows are more than one statement takes.
    for (const part of parts(changed, CHARACTERS_AT_ONCE, ({ body }) => body.length))
      sql.exec(
        `INSERT INTO plan (kind, id, owner, via, body)
           SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?2) WHERE true
         ON CONFLICT (kind, id) DO UPDATE SET owner = excluded.owner, via = excluded.via, body = excluded.body`,
        kind,
        JSON.stringify(part.map(({ row, body }) => [row.id, ownerOf(kind, row), viaOf(row), body])),
      );
    for (const { row } of changed) if ("members" in row) putMembers(sql, row.id, row.members);
  }
  if (stored.length > 0) forget(sql, kind);
}

const KEEP_FORMER: ReadonlySet<PlanKind> = new Set(["schedule", "calendar"]);

/** What the copy adds to a row. */
function plannedBefore<K extends PlanKind>(
  kind: K,
  row: D1Rows[K],
  known: string | undefined,
  changedAt: (row: D1Rows[K]) => number,
): { planned_at: number; was?: object } {
  const planned_at = changedAt(row);
  if (known === undefined) return { planned_at };
  const added = readable(() => {
    const before = readRow(kind, known);
    const was = "was" in before ? before.was : undefined;
    if (windowsKey(kind, before) === windowsKey(kind, row))
      return { planned_at: before.planned_at, ...(was && { was }) };
    if (!KEEP_FORMER.has(kind)) return null;
    return { planned_at, was: { ...before, was: undefined } };
  });
  return added ?? { planned_at };
}

/** One row a device, so that its groups are found by an index. */
function putMembers(sql: Store, group_id: string, members: Member[]): void {
  sql.exec("DELETE FROM plan INDEXED BY plan_via WHERE kind = 'member' AND via = ?", group_id);
  sql.exec(
    `INSERT INTO plan (kind, id, owner, via, body)
     SELECT 'member', ?1 || ':' || (value ->> 'device_id'), value ->> 'device_id', ?1, value ->> 'added_at'
     FROM json_each(?2)`,
    group_id,
    JSON.stringify(members),
  );
}

/** Removes rows of the copy. */
export function dropPlan(sql: Store, kind: PlanKind, ids: string[]): void {
  for (const some of inPieces(ids))
    sql.exec("DELETE FROM plan WHERE kind = ? AND id IN (SELECT value FROM json_each(?))", kind, JSON.stringify(some));
  if (kind === "group") for (const id of ids) putMembers(sql, id, []);
  if (ids.length > 0) forget(sql, kind);
}

/** Replaces the stored settings; one that is missing has its default. */
export function putSettings(sql: Store, rows: { key: string; value: unknown }[]): void {
  sql.exec(
    `INSERT INTO plan (kind, id, body) VALUES ('settings', '', ?)
     ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body`,
    JSON.stringify(Object.fromEntries(rows.map((row) => [row.key, row.value]))),
  );
  forget(sql, "settings");
}

function forget(sql: Store, kind: PlanKind | "settings"): void {
  forgetPlan(sql, kind);
  forgetLimits(sql);
}

function bodiesOf(sql: SqlStorage, kind: string, ids: string[]): Map<string, string> {
  const rows = sql
    .exec<{ id: string; body: string }>(
      "SELECT id, body FROM plan WHERE kind = ? AND id IN (SELECT value FROM json_each(?))",
      kind,
      JSON.stringify(ids),
    )
    .toArray();
  return new Map(rows.map(({ id, body }) => [id, body]));
}

function inPieces<T>(all: T[]): T[][] {
  const pieces = [];
  for (let n = 0; n < all.length; n += IN_ONE_STATEMENT) pieces.push(all.slice(n, n + IN_ONE_STATEMENT));
  return pieces;
}
