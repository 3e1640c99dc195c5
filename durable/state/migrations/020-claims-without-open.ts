/** No question asks for the claims without a record alone, and each claim was written to this index twice. */
export function claimsWithoutOpen(sql: SqlStorage): void {
  sql.exec("DROP INDEX claims_open");
}
