import { OBJECT_IN_BACKUPS } from "#durable/state/backup-tables";
import type { EngineContext } from "#durable/state/context";
import { flush } from "#durable/state/outbox";

/** What an answer carries, and a little: one row may be a plan of five hundred lamps. */
const MOST_BYTES = 1_000_000;

export type ObjectTable = keyof typeof OBJECT_IN_BACKUPS;
export type ObjectRow = Record<string, SqlStorageValue>;
export type ObjectPage = { rows: ObjectRow[]; next: string | null };

/** Whether backups hold this table of the object. */
export function isObjectTable(name: string): name is ObjectTable {
  return Object.hasOwn(OBJECT_IN_BACKUPS, name);
}

/** What D1 has not been told yet is told now, so that a backup need not carry it twice. Never rejects. */
export async function flushForBackup(context: EngineContext): Promise<void> {
  await flush(context).catch((error: unknown) =>
    context.log({ level: "warn", event: "backup.unflushed", reason: String(error) }),
  );
}

/** Rows of a table of the object behind the cursor, by their key, and where the next page goes on; null: nowhere. */
export function backupPage({ sql }: Pick<EngineContext, "sql">, table: ObjectTable, after: string | null): ObjectPage {
  const key = OBJECT_IN_BACKUPS[table];
  const columns = key.join(", ");
  const values: SqlStorageValue[] = after === null ? [] : JSON.parse(after);
  const behind = after === null ? "" : `WHERE (${columns}) > (${key.map(() => "?").join(", ")})`;
  const rows: ObjectRow[] = [];
  let bytes = 0;
  for (const row of sql.exec<ObjectRow>(`SELECT * FROM ${table} ${behind} ORDER BY ${columns}`, ...values)) {
    rows.push(row);
    bytes += JSON.stringify(row).length;
    if (bytes > MOST_BYTES) return { rows, next: JSON.stringify(key.map((column) => row[column])) };
  }
  return { rows, next: null };
}
