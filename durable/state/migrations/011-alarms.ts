/** The alarm that people see of an incident, as it was last told. */
export function alarms(sql: SqlStorage): void {
  sql.exec("ALTER TABLE incidents ADD COLUMN alarm TEXT");
}
