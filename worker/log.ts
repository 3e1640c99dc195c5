type Level = "info" | "warn" | "error";

/** One structured line; the platform's log is searched by these fields. Never give it a body, a header or a token. */
export function log(level: Level, event: string, fields: Record<string, unknown> = {}): void {
  console[level](JSON.stringify({ at: new Date().toISOString(), level, event, ...fields }));
}

/** What a caught value may tell the log: Drizzle's message carries the bound values, which may be secrets. */
export function causeOf(caught: unknown): { error: string; stack?: string | undefined } {
  if (!(caught instanceof Error)) return { error: String(caught) };
  const [message] = caught.message.split("\nparams:");
  const cause = caught.cause instanceof Error ? `: ${caught.cause.message}` : "";
  return {
    error: `${caught.name}: ${message}${cause}`,
    stack: caught.stack?.split("\n    at ").slice(1, 8).join(" < "),
  };
}
