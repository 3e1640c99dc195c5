/**
 * Indexes in the order in which the engine asks, so that no question reads more of a city than its answer: free timers by
 * when they are due, leased ones by when that ends, ready commands by their place in the queue. The organization's schedules
 * are found by their device.
 */
export function indexesByUse(sql: SqlStorage): void {
  sql.exec(`
    DROP INDEX timers_due;
    CREATE INDEX timers_due ON timers (due_at, kind, key) WHERE lease IS NULL AND kind <> 'recheck';
    CREATE INDEX timers_recheck ON timers (due_at, key) WHERE lease IS NULL AND kind = 'recheck';
    CREATE INDEX timers_leased ON timers (lease) WHERE lease IS NOT NULL;
    DROP INDEX commands_due;
    CREATE INDEX commands_ready ON commands
      (phase = 'verify', action = 'on', source <> 'manual', due_at, target_kind, target_id)
      WHERE phase IN ('send', 'verify');
    CREATE INDEX calls_hub ON calls (hub);
    CREATE INDEX polls_due ON polls (due_at, kind, id);
    CREATE INDEX outbox_set_aside ON outbox (id) WHERE set_aside IS NOT NULL;
    CREATE INDEX device_memory_lit ON device_memory (device_id) WHERE lit_since IS NOT NULL;
    CREATE INDEX claims_open ON claims (device_id, end) WHERE outcome IS NULL`);
}
