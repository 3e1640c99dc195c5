import { Refusal } from "#domain/errors";
import type { Scope, Statement } from "#worker/services/scope";

/**
 * Makes a change and its audit entry in one batch, then tells the scheduler. Refuses with `conflict` if the record is
 * no longer as it was read (decision 16 and If-Match), or if what it refers to is gone; then nothing has changed.
 */
export async function commit(scope: Scope, noun: string, statements: [Statement, ...Statement[]]): Promise<void> {
  try {
    await scope.db.batch(statements);
  } catch (caught) {
    throw conflictOf(caught, noun) ?? caught;
  }
  await scope.scheduler.sync(scope.org_id);
}

function conflictOf(caught: unknown, noun: string): Refusal | null {
  const message = messagesOf(caught);
  if (/NOT NULL constraint failed: \w+\.version/.test(message)) {
    return new Refusal("conflict", `This ${noun} was changed by someone else meanwhile. Reload and try again.`);
  }
  if (message.includes("FOREIGN KEY constraint failed")) {
    return new Refusal("conflict", `Something this ${noun} refers to was deleted meanwhile. Reload and try again.`);
  }
  return null;
}

/** Drizzle wraps what D1 throws. */
function messagesOf(caught: unknown): string {
  return caught instanceof Error ? `${caught.message}\n${messagesOf(caught.cause)}` : "";
}
