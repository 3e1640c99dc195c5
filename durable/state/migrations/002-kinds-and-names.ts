/**
 * What was told apart by the beginning of a string has a column of its own, and tables and columns have the names of
 * what they hold. Every row keeps its meaning.
 */
export function kindsAndNames(sql: SqlStorage): void {
  sql.exec(TIMERS);
  sql.exec(DEVICE_MEMORY);
  sql.exec(COMMANDS);
  sql.exec(POLLS);
  sql.exec(INCIDENTS);
  sql.exec(BUDGET);
  renumberCalls(sql);
}

const TIMERS = `
  ALTER TABLE timers RENAME TO old_timers;
  DROP INDEX timers_due;
  CREATE TABLE timers (
    kind TEXT NOT NULL, key TEXT NOT NULL, due_at INTEGER NOT NULL, lease INTEGER, tries INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, key)
  ) WITHOUT ROWID;
  CREATE INDEX timers_due ON timers (due_at);
  INSERT INTO timers (kind, key, due_at, lease, tries)
    SELECT
      CASE
        WHEN id LIKE 'command:owed:%' THEN 'pending_off'
        WHEN id LIKE 'look:%' THEN 'recheck'
        WHEN id LIKE 'hub:%' THEN 'hub_check'
        WHEN id LIKE 'sms:%' THEN 'message'
        WHEN instr(id, ':') = 0 THEN id
        ELSE substr(id, 1, instr(id, ':') - 1)
      END,
      CASE
        WHEN id LIKE 'command:owed:%' THEN substr(id, length('command:owed:') + 1)
        WHEN instr(id, ':') = 0 THEN ''
        ELSE substr(id, instr(id, ':') + 1)
      END,
      due_at, lease, tries
    FROM old_timers;
  DROP TABLE old_timers`;

const DEVICE_MEMORY = `
  CREATE TABLE device_memory (
    device_id TEXT PRIMARY KEY,
    off_at INTEGER, on_at INTEGER, lit_since INTEGER, lit_by TEXT NOT NULL DEFAULT 'us',
    reported TEXT NOT NULL DEFAULT 'unknown', reported_at INTEGER, written_at INTEGER, sent_at INTEGER,
    resolved_state TEXT, resolved_reason TEXT, reconciled_at INTEGER, test_until INTEGER
  ) WITHOUT ROWID;
  INSERT INTO device_memory
    SELECT device_id, off_at, on_at, lit_since, CASE lit_by WHEN 'hand' THEN 'external' ELSE lit_by END,
      reported, reported_at, written_at, sent_at,
      CASE WHEN resolved = '' THEN NULL WHEN instr(resolved, ' ') = 0 THEN resolved
        ELSE substr(resolved, 1, instr(resolved, ' ') - 1) END,
      nullif(resolved, ''), looked_at, test_until
    FROM standings;
  DROP TABLE standings`;

const COMMANDS = `
  ALTER TABLE commands RENAME TO old_commands;
  DROP INDEX commands_due;
  CREATE TABLE commands (
    target_kind TEXT NOT NULL, target_id TEXT NOT NULL,
    device_id TEXT NOT NULL, hub TEXT NOT NULL,
    action TEXT NOT NULL, source TEXT NOT NULL, attempt INTEGER NOT NULL DEFAULT 0, seq INTEGER NOT NULL,
    phase TEXT NOT NULL, due_at INTEGER NOT NULL,
    reason TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (target_kind, target_id)
  ) WITHOUT ROWID;
  CREATE INDEX commands_due ON commands (phase, due_at);
  INSERT INTO commands
    SELECT CASE WHEN target LIKE 'owed:%' THEN 'pending_off' ELSE 'device' END,
      CASE WHEN target LIKE 'owed:%' THEN substr(target, length('owed:') + 1) ELSE target END,
      device_id, hub, action, source, attempt, seq, phase, due_at, reason, body
    FROM old_commands;
  DROP TABLE old_commands`;

const POLLS = `
  CREATE TABLE polls (
    kind TEXT NOT NULL, id TEXT NOT NULL, due_at INTEGER NOT NULL, PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  INSERT INTO polls SELECT kind, id, due_at FROM checks;
  DROP TABLE checks`;

const INCIDENTS = `
  ALTER TABLE incidents RENAME COLUMN told_at TO notified_at;
  UPDATE incidents SET incident = 'pending_off:' || substr(incident, length('device:owed:') + 1)
    WHERE incident LIKE 'device:owed:%';
  UPDATE incidents SET incident = 'external:' || substr(incident, length('hand:') + 1) WHERE incident LIKE 'hand:%'`;

const BUDGET = `
  ALTER TABLE spent RENAME TO calls_made;
  DROP INDEX spent_at;
  CREATE INDEX calls_made_at ON calls_made (bucket, at);
  ALTER TABLE booked RENAME TO reservations;
  ALTER TABLE resting RENAME TO cooldowns`;

/** A number is never given to a second call, so that a late report cannot settle another call than its own. */
function renumberCalls(sql: SqlStorage): void {
  const calls = sql.exec<OldCall>("SELECT id, device_id, hub, until, body FROM calls").toArray();
  sql.exec(`
    DROP TABLE calls;
    CREATE TABLE calls (
      id INTEGER PRIMARY KEY AUTOINCREMENT, device_id TEXT, hub TEXT NOT NULL, until INTEGER NOT NULL, body TEXT NOT NULL
    )`);
  for (const { id, device_id, hub, until, body } of calls) {
    const insert = "INSERT INTO calls (id, device_id, hub, until, body) VALUES (?, ?, ?, ?, ?)";
    sql.exec(insert, id, device_id, hub, until, renamed(body));
  }
}

type OldCall = { id: number; device_id: string | null; hub: string; until: number; body: string };

function renamed(body: string): string {
  const call = JSON.parse(body);
  const kind = String(call.kind)
    .replace(/^ask_/, "probe_")
    .replace(/^check_/, "poll_");
  const before = call.before?.lit_by === "hand" ? { ...call.before, lit_by: "external" } : call.before;
  return JSON.stringify({ ...call, kind, target: targetOf(call.target), before });
}

function targetOf(target: unknown): { kind: "device" | "pending_off"; id: string } | null {
  if (typeof target !== "string") return null;
  return target.startsWith("owed:")
    ? { kind: "pending_off", id: target.slice("owed:".length) }
    : { kind: "device", id: target };
}
