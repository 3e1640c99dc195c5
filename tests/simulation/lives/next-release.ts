import { migrate, SCHEMA_VERSION } from "#durable/state/migrate";
import type { World } from "#tests/support/engine";

const MINUTE_MS = 60_000;

/**
 * The next release has run on the object's tables and was taken back: they are wider than this code knows, and there are
 * timers and facts for D1 of kinds that it has never heard of. To be called when a process has died.
 */
export function leaveTraces(world: World): void {
  const { storage } = world;
  const { sql } = storage;
  storage.transactionSync(() => {
    const isFirst = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'next_things'").toArray().length === 0;
    if (isFirst) widen(sql);
    // Later than the alarm that is set.
    const due_at = Math.max(world.now, world.alarm_at ?? 0, world.asked_at ?? 0) + MINUTE_MS;
    sql.exec("INSERT OR REPLACE INTO timers (kind, key, due_at) VALUES ('next_kind', ?, ?)", String(world.now), due_at);
    sql.exec("INSERT OR REPLACE INTO outbox (kind, key, body) VALUES ('next_kind', ?, '{}')", `next_kind:${world.now}`);
    sql.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('plan_shape', 'with columns of the next release')");
    sql.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('tables_version', ?)", String(SCHEMA_VERSION + 1));
  });
  if (!migrate(storage).ok) throw new Error("the code refuses tables that were only widened");
}

function widen(sql: SqlStorage): void {
  const tables = sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray();
  for (const { name } of tables)
    if (!/^(sqlite|_cf)/.test(name))
      sql.exec(`ALTER TABLE ${name} ADD COLUMN next_column TEXT NOT NULL DEFAULT 'next'`);
  sql.exec("CREATE TABLE next_things (id TEXT PRIMARY KEY)");
}
