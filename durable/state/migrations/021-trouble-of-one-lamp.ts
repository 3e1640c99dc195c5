/** Which lamp alone failed in a row; of the rows so far that is not known, and they count as several's. */
export function troubleOfOneLamp(sql: SqlStorage): void {
  sql.exec("ALTER TABLE hub_trouble ADD COLUMN lamp TEXT");
}
