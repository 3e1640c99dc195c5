import { MIGRATIONS } from "./migrations";

/** The version of the tables that this code makes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * The oldest version whose code can work on the tables of SCHEMA_VERSION, so that a release can be taken back. A
 * migration that only widens leaves it; one that narrows raises it, to the version of the release before this one at most.
 */
export const READABLE_SINCE = 13;

/** `version` is that of a database which a newer release has written, and which this code cannot read. */
export type Migrated = { ok: true } | { ok: false; version: number };

/**
 * Brings the object's tables up to SCHEMA_VERSION, in one transaction. A database of a newer release is worked on as it
 * is where it says that this code can; else it is left exactly as it is, and answered with its version: this code does not
 * know what its rows mean.
 */
export function migrate(storage: Pick<DurableObjectStorage, "transactionSync" | "sql">): Migrated {
  const { sql } = storage;
  const { version, readable_since } = versionsOf(sql);
  if (readable_since > SCHEMA_VERSION) return { ok: false, version };
  if (version < SCHEMA_VERSION) {
    storage.transactionSync(() => {
      for (const up of MIGRATIONS.slice(version)) up(sql);
      // Release 1.0.0 knows the first of the two alone, and refuses the database where it is above its own version.
      setVersion(sql, "schema_version", READABLE_SINCE);
      setVersion(sql, "tables_version", SCHEMA_VERSION);
    });
  }
  return { ok: true };
}

function setVersion(sql: SqlStorage, key: string, version: number): void {
  sql.exec("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", key, String(version));
}

/** Both 0 where there is nothing yet, and where the tables are from before they had a version. */
function versionsOf(sql: SqlStorage): { version: number; readable_since: number } {
  const tables = sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'").toArray();
  if (tables.length === 0) return { version: 0, readable_since: 0 };
  const rows = sql
    .exec<{ key: string; value: string }>(
      "SELECT key, value FROM meta WHERE key IN ('schema_version', 'tables_version')",
    )
    .toArray();
  const [readable_since, version] = ["schema_version", "tables_version"].map((key) => {
    const row = rows.find((row) => row.key === key);
    return row ? Number(row.value) : null;
  });
  return { version: version ?? readable_since ?? 0, readable_since: readable_since ?? 0 };
}
