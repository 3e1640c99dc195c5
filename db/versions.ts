import { sql, type AnyColumn, type SQL } from "drizzle-orm";

/** The instant of a write, in the format of all instants. */
export const NOW = sql`(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`;

/**
 * The next version of a record, or null if the caller read another version or `still` no longer holds. The column's NOT
 * NULL then fails the statement and rolls back its batch, so that no other write can slip between the read and the write.
 */
export function nextVersion(version: AnyColumn, if_match?: number, still?: SQL): SQL {
  const conditions = [if_match === undefined ? undefined : sql`${version} = ${if_match}`, still].filter(
    (condition) => condition !== undefined,
  );
  if (conditions.length === 0) return sql`${version} + 1`;
  return sql`case when ${sql.join(conditions, sql` and `)} then ${version} + 1 end`;
}
