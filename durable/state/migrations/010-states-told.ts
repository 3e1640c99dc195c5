/** What the log of states was last told of a light, so that only a change is told. */
export function statesTold(sql: SqlStorage): void {
  sql.exec(`
    ALTER TABLE device_memory ADD COLUMN desired_told TEXT;
    ALTER TABLE device_memory ADD COLUMN reported_told TEXT`);
}
