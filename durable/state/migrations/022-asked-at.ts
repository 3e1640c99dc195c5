/** When what people ask for last changed; of a light's memory so far, the newest instant that it tells of. */
export function askedAt(sql: SqlStorage): void {
  sql.exec("ALTER TABLE device_memory ADD COLUMN asked_at INTEGER");
  const instants = ["off_at", "on_at", "hold_since", "emergency_since"].map((name) => `IFNULL(${name}, 0)`);
  sql.exec(`UPDATE device_memory SET asked_at = NULLIF(MAX(${instants.join(", ")}), 0)`);
}
