/**
 * The tables as they were before they had a version. A database of that time has them already, so each is made only where
 * it is missing; the oldest lack the device in the key of their claims.
 */
export function firstRelease(sql: SqlStorage): void {
  const [claims] = sql.exec<{ text: string }>("SELECT sql AS text FROM sqlite_master WHERE name = 'claims'").toArray();
  const isOldest = claims !== undefined && /PRIMARY KEY \(schedule_id, start\)/.test(claims.text);
  if (isOldest) sql.exec("DROP INDEX IF EXISTS claims_device; ALTER TABLE claims RENAME TO oldest_claims");
  sql.exec(TABLES);
  if (isOldest) {
    sql.exec(`
      INSERT INTO claims (schedule_id, start, device_id, end, outcome)
        SELECT schedule_id, start, device_id, end, outcome FROM oldest_claims;
      DROP TABLE oldest_claims`);
  }
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS plan (
    kind TEXT NOT NULL, id TEXT NOT NULL,
    owner TEXT,  -- a schedule's device, a device's or hub's area
    via TEXT,    -- a device's hub
    body TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS plan_owner ON plan (kind, owner);
  CREATE INDEX IF NOT EXISTS plan_via ON plan (kind, via);

  CREATE TABLE IF NOT EXISTS timers (
    id TEXT PRIMARY KEY, due_at INTEGER NOT NULL, lease INTEGER, tries INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS timers_due ON timers (due_at);

  CREATE TABLE IF NOT EXISTS standings (
    device_id TEXT PRIMARY KEY,
    off_at INTEGER, on_at INTEGER, lit_since INTEGER, lit_by TEXT NOT NULL DEFAULT 'us',
    reported TEXT NOT NULL DEFAULT 'unknown', reported_at INTEGER, written_at INTEGER,
    sent_at INTEGER, resolved TEXT NOT NULL DEFAULT '', looked_at INTEGER, test_until INTEGER
  ) WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS claims (
    schedule_id TEXT NOT NULL, start INTEGER NOT NULL, device_id TEXT NOT NULL, end INTEGER NOT NULL, outcome TEXT,
    PRIMARY KEY (schedule_id, start, device_id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS claims_device ON claims (device_id, end);

  CREATE TABLE IF NOT EXISTS commands (
    target TEXT PRIMARY KEY,  -- the device, or 'owed:...' for an OFF that an old address is still owed
    device_id TEXT NOT NULL, hub TEXT NOT NULL,
    action TEXT NOT NULL, source TEXT NOT NULL, attempt INTEGER NOT NULL DEFAULT 0, seq INTEGER NOT NULL,
    phase TEXT NOT NULL, due_at INTEGER NOT NULL,
    reason TEXT NOT NULL, body TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS commands_due ON commands (phase, due_at);

  CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY, device_id TEXT, hub TEXT NOT NULL, until INTEGER NOT NULL, body TEXT NOT NULL
  );

  -- Readings and pings that nobody waits for: the watchdog's and the hub checks'.
  CREATE TABLE IF NOT EXISTS checks (
    of TEXT PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, due_at INTEGER NOT NULL
  ) WITHOUT ROWID;

  -- When the watchdog last asked, whether or not it was answered.
  CREATE TABLE IF NOT EXISTS reads (device_id TEXT PRIMARY KEY, asked_at INTEGER NOT NULL) WITHOUT ROWID;

  -- What has gone wrong and was told once; it ends when it is well again.
  CREATE TABLE IF NOT EXISTS incidents (
    incident TEXT PRIMARY KEY, since INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER NOT NULL DEFAULT 0, told_at INTEGER
  ) WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS messages (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS hub_trouble (
    hub TEXT PRIMARY KEY, failures INTEGER NOT NULL, paused_until INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, key TEXT NOT NULL UNIQUE, body TEXT NOT NULL,
    set_aside TEXT
  );

  -- The cloud account's budget: calls made, places promised, and who said to leave it in peace.
  CREATE TABLE IF NOT EXISTS spent (bucket TEXT NOT NULL, at INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS spent_at ON spent (bucket, at);
  CREATE TABLE IF NOT EXISTS booked (
    bucket TEXT NOT NULL, who TEXT NOT NULL, rank INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (bucket, who)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS resting (bucket TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS lamps (
    lamp TEXT PRIMARY KEY, state TEXT NOT NULL DEFAULT 'off', switched_at INTEGER
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS faults (of TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
`;
