/**
 * A cut by the longest time on has an instant of its own, since a person who goes back to the schedule undoes an OFF but no
 * cut. Holds and emergencies are two slots beside it, each with who pressed and why. A claim remembers what keeps it dark.
 */
export function holdsAndCuts(sql: SqlStorage): void {
  sql.exec(`
    ALTER TABLE device_memory ADD COLUMN cut_at INTEGER;
    ALTER TABLE device_memory ADD COLUMN hold_action TEXT;
    ALTER TABLE device_memory ADD COLUMN hold_until INTEGER;
    ALTER TABLE device_memory ADD COLUMN hold_since INTEGER;
    ALTER TABLE device_memory ADD COLUMN hold_reason TEXT;
    ALTER TABLE device_memory ADD COLUMN hold_by TEXT;
    ALTER TABLE device_memory ADD COLUMN emergency_until INTEGER;
    ALTER TABLE device_memory ADD COLUMN emergency_since INTEGER;
    ALTER TABLE device_memory ADD COLUMN emergency_reason TEXT;
    ALTER TABLE device_memory ADD COLUMN emergency_by TEXT;
    ALTER TABLE device_memory ADD COLUMN hold_told TEXT;
    ALTER TABLE claims ADD COLUMN note TEXT;
    UPDATE device_memory SET cut_at = off_at, off_at = NULL WHERE cut_min IS NOT NULL`);
}
