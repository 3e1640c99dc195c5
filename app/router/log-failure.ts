import { causeOf } from "#domain/errors";

/** Logs what a page does without, on the server. Never the error as it is: a query's message holds what it was bound to. */
export function logFailure(caught: unknown): void {
  const line = { at: new Date().toISOString(), level: "error", event: "page.failed", ...causeOf(caught) };
  console.error(JSON.stringify(line));
}
