import { MIGRATIONS } from "./migrations";

/** The version of the tables that this code reads and writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** `version` is that of a database which a newer release has written. */
export type Migrated = { ok: true } | { ok: false; version: number };

/**
 * Brings the object's tables up to SCHEMA_VERSION, in one transaction. A database that a newer release has written is
 * left exactly as it is, and answered with its version: this code does not know what its rows mean.
 */
export function migrate(storage: Pick<DurableObjectStorage, "transactionSync" | "sql">): Migrated {
  const { sql } = storage;
  const version = versionOf(sql);
  if (version > SCHEMA_VERSION) return { ok: false, version };
  if (version < SCHEMA_VERSION) {
    storage.transactionSync(() => {
      for (const up of MIGRATIONS.slice(version)) up(sql);
      sql.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('schema_version', ?)", String(SCHEMA_VERSION));
    });
  }
  return { ok: true };
}

/** 0 where there is nothing yet, and where the tables are from before they had a version. */
function versionOf(sql: SqlStorage): number {
  const tables = sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'").toArray();
  if (tables.length === 0) return 0;
  const [row] = sql.exec<{ value: string }>("SELECT value FROM meta WHERE key = 'schema_version'").toArray();
  return Number(row?.value ?? 0);
}
