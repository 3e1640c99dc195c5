import { sql, type SQL } from "drizzle-orm";
import type { BackedUp } from "./backup-tables";
import type { BackupRow } from "./backup";
import { restoredTable } from "./restored-table";

/** The rows of a table on their way back, one of them a text of JSON in `body`. */
export type From = { rows: SQL; body: SQL };

/**
 * Inserts rows of a backup as the organization's own. A reference to a row that is missing, since it was deleted while the
 * backup was read, becomes null; a row that is only a part of the missing one is left out. Columns that an older release
 * did not have get their defaults.
 */
export function insertRows(of: BackedUp, org_id: string, columns: readonly string[], from: From): SQL {
  const { table } = of;
  const { key, references } = restoredTable(table);
  const value = (column: string) => valueOf(of, org_id, column, from.body);
  const values = columns.map((column) => {
    const reference = references.find((one) => one.column === column && !one.isPart);
    if (!reference) return value(column);
    return sql`case when ${isThere(reference, value(column), org_id)} then ${value(column)} end`;
  });
  const wholes = references
    .filter(({ column, isPart }) => isPart && columns.includes(column))
    .map((one) => sql`(${value(one.column)} is null or ${isThere(one, value(one.column), org_id)})`);
  const isKept = of.restored === "keep";
  const isKnown = sql`exists (select 1 from ${sql.identifier(table)} known where ${sql.join(
    key.map((column) => sql`known.${sql.identifier(column)} = ${value(column)}`),
    sql` and `,
  )})`;
  const conditions = [...wholes, ...(isKept ? [sql`not ${isKnown}`] : [])];
  return sql`insert ${sql.raw(isKept && !of.isLog ? "or ignore " : "")}into ${sql.identifier(table)}
    (${list(columns.map((column) => sql`${sql.identifier(column)}`))})
    select ${list(values)} from ${from.rows} where ${sql.join([sql`true`, ...conditions], sql` and `)}`;
}

/** Whatever a row says, it is of this organization. */
function valueOf({ table }: BackedUp, org_id: string, column: string, body: SQL): SQL {
  const isOwner = column === "org_id" || (table === "organizations" && column === "id");
  return isOwner ? sql`${org_id}` : sql`json_extract(${body}, ${sql.raw(`'$."${column}"'`)})`;
}

type Reference = ReturnType<typeof restoredTable>["references"][number];

function isThere({ parent, of, isInOrganization }: Reference, id: SQL, org_id: string): SQL {
  const own = isInOrganization ? sql` and parent.org_id = ${org_id}` : sql``;
  return sql`exists (select 1 from ${sql.identifier(parent)} parent where parent.${sql.identifier(of)} = ${id}${own})`;
}

function list(parts: SQL[]): SQL {
  return sql.join(parts, sql`, `);
}

/** What is wrong with a row that a file claims to be one of the table's; null where nothing is. */
export function faultOf({ table, scope }: BackedUp, org_id: string, row: BackupRow): string | null {
  const { columns } = restoredTable(table);
  const unknown = Object.keys(row).find((column) => !columns.includes(column));
  if (unknown !== undefined) return `${table} has no column ${unknown.slice(0, 40)}`;
  const owner = "column" in scope ? row[scope.column] : org_id;
  return owner === org_id ? null : `a row of ${table} belongs to another organization`;
}
