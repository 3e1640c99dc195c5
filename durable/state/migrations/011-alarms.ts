/** The alarm that people see of an incident, as it was last told; null until an evaluation finds it open again. */
export function alarms(sql: SqlStorage): void {
  sql.exec("ALTER TABLE incidents ADD COLUMN alarm TEXT");
}
