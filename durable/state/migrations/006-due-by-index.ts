/**
 * Commands and calls are their own timers: an index says which is due, and a switch no longer writes and drops two rows
 * beside them. The rows that stood for them go; a call's timer is made when its lease runs out.
 */
export function dueByIndex(sql: SqlStorage): void {
  sql.exec(`
    CREATE INDEX commands_due ON commands (due_at);
    CREATE INDEX calls_until ON calls (until);
    UPDATE calls SET until = MIN(until, (SELECT due_at FROM timers WHERE kind = 'call' AND key = CAST(id AS TEXT)))
      WHERE EXISTS (SELECT 1 FROM timers WHERE kind = 'call' AND key = CAST(id AS TEXT));
    DELETE FROM timers WHERE kind IN ('command', 'pending_off', 'call')`);
}
