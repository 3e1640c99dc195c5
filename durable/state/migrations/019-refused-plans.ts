/** Why an agent does not take the plan that it was last sent, in a sentence. */
export function refusedPlans(sql: SqlStorage): void {
  sql.exec("ALTER TABLE standing_plans ADD COLUMN refused TEXT");
}
