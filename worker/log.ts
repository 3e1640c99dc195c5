type Level = "info" | "warn" | "error";

/** Logs one structured line, searchable by its fields. Never pass a body, a header or a token. */
export function log(level: Level, event: string, fields: Record<string, unknown> = {}): void {
  console[level](JSON.stringify({ at: new Date().toISOString(), level, event, ...fields }));
}
