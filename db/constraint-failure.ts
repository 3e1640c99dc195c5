/** The messages of what a statement or batch threw: Drizzle wraps D1's errors. */
export function messagesOf(caught: unknown): string {
  return caught instanceof Error ? `${caught.message}\n${messagesOf(caught.cause)}` : "";
}

/** Whether it failed on the NOT NULL of a column (`table.column`), as a write does whose condition does not hold any more. */
export function isNullRefused(caught: unknown, column: string): boolean {
  return messagesOf(caught).includes(`NOT NULL constraint failed: ${column}`);
}
