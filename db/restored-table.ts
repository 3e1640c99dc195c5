import { getTableName, is, type Column } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "./schema";

/** A column that names a row of another table; `isPart`: its row is nothing without that one. */
type Reference = { column: string; parent: string; of: string; isInOrganization: boolean; isPart: boolean };

/** What a restore has to know of a table of D1. */
export type RestoredTable = { columns: string[]; key: string[]; references: Reference[] };

const KNOWN = new Map(
  Object.values<unknown>(schema).flatMap((one) => (is(one, SQLiteTable) ? [[getTableName(one), describe(one)]] : [])),
);

/** The table as the schema has it. Throws for one that there is not. */
export function restoredTable(name: string): RestoredTable {
  const known = KNOWN.get(name);
  if (!known) throw new Error(`there is no table ${name}`);
  return known;
}

function describe(table: SQLiteTable): RestoredTable {
  const { columns, primaryKeys, foreignKeys } = getTableConfig(table);
  const [composite] = primaryKeys;
  const key = composite?.columns ?? columns.filter(({ primary }) => primary);
  const references = foreignKeys.flatMap((foreign) => {
    const { columns: own, foreignColumns, foreignTable } = foreign.reference();
    const [column, of] = [own[0], foreignColumns[0]];
    const parent = getTableName(foreignTable);
    // The organization itself is there, and every row is made its own.
    if (!column || !of || parent === "organizations") return [];
    const isInOrganization = getTableConfig(foreignTable).columns.some(({ name }) => name === "org_id");
    const isPart = foreign.onDelete === "cascade";
    return [{ column: column.name, parent, of: of.name, isInOrganization, isPart }];
  });
  return { columns: columns.map(nameOf), key: key.map(nameOf), references };
}

function nameOf({ name }: Pick<Column, "name">): string {
  return name;
}
