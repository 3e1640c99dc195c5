type Level = "info" | "warn" | "error";

/** Logs one structured line, searchable by its fields. Never pass a body, a header or a token. */
export function log(level: Level, event: string, fields: Record<string, unknown> = {}): void {
  console[level](JSON.stringify({ at: new Date().toISOString(), level, event, ...fields }));
}

/** The loggable part of a caught value: Drizzle's messages contain bound values, which may be secrets. */
export function causeOf(caught: unknown): { error: string; stack?: string | undefined } {
  if (!(caught instanceof Error)) return { error: String(caught) };
  const [message] = caught.message.split("\nparams:");
  const cause = caught.cause instanceof Error ? `: ${caught.cause.message}` : "";
  return {
    error: `${caught.name}: ${message}${cause}`,
    stack: caught.stack?.split("\n    at ").slice(1, 8).join(" < "),
  };
}
