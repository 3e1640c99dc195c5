import { sql, type AnyColumn, type SQL } from "drizzle-orm";

/** The instant of a write, in the one form that instants have. */
export const NOW = sql`(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`;

/**
 * The next version of a record. Where the caller read another version, or where `still` no longer holds, it is null:
 * the column's NOT NULL then makes the statement fail and its batch roll back, so that no other write can slip between
 * the look and the change.
 */
export function nextVersion(version: AnyColumn, if_match?: number, still?: SQL): SQL {
  const conditions = [if_match === undefined ? undefined : sql`${version} = ${if_match}`, still].filter(
    (condition) => condition !== undefined,
  );
  if (conditions.length === 0) return sql`${version} + 1`;
  return sql`case when ${sql.join(conditions, sql` and `)} then ${version} + 1 end`;
}
