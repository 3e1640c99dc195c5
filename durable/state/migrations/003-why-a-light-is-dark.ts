/**
 * What the sentence about a light is made of: who pressed, whether the longest time on cut it, what is wrong with it and
 * since when, and how often an incident was tried. Of what happened before, nobody remembers.
 */
export function whyALightIsDark(sql: SqlStorage): void {
  sql.exec(`
    ALTER TABLE device_memory ADD COLUMN cut_min INTEGER;
    ALTER TABLE device_memory ADD COLUMN off_by TEXT;
    ALTER TABLE device_memory ADD COLUMN on_by TEXT;
    ALTER TABLE device_memory ADD COLUMN problem TEXT;
    ALTER TABLE device_memory ADD COLUMN problem_since INTEGER;
    ALTER TABLE incidents ADD COLUMN sends INTEGER NOT NULL DEFAULT 0`);
}
