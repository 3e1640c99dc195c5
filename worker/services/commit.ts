import { organizations } from "#db/organizations";
import { Refusal } from "#domain/errors";
import type { Scope, Statement } from "#worker/services/scope";

/**
 * Writes a change and its audit entry in one batch, and hints the engine if the database's triggers noticed a change that
 * it plans from. Refuses with `conflict`, changing nothing, if the record was changed meanwhile, if a record that it refers
 * to is gone, or if the same record was added meanwhile.
 */
export async function commit({ db, org_id, scheduler }: Scope, noun: string, statements: Statement[]): Promise<void> {
  const plan = organizations(db).planVersion(org_id);
  const results = await db.batch([plan, ...statements, plan]).catch((caught: unknown) => {
    throw conflictOf(caught, noun) ?? caught;
  });
  const [before, after] = [results[0], results.at(-1)];
  if (JSON.stringify(before) !== JSON.stringify(after)) await scheduler.sync(org_id);
}

function conflictOf(caught: unknown, noun: string): Refusal | null {
  const message = messagesOf(caught);
  const found = CONFLICTS.find(({ constraint }) => constraint.test(message));
  return found ? new Refusal("conflict", found.sentence(noun)) : null;
}

const CONFLICTS = [
  {
    constraint: /NOT NULL constraint failed: \w+\.version/,
    sentence: (noun: string) => `This ${noun} was changed by someone else meanwhile. Reload and try again.`,
  },
  {
    constraint: /FOREIGN KEY constraint failed/,
    sentence: (noun: string) => `Something this ${noun} refers to was deleted meanwhile. Reload and try again.`,
  },
  {
    constraint: /UNIQUE constraint failed/,
    sentence: (noun: string) => `This ${noun} was added by someone else meanwhile. Reload and try again.`,
  },
];

/** Drizzle wraps D1's errors. */
function messagesOf(caught: unknown): string {
  return caught instanceof Error ? `${caught.message}\n${messagesOf(caught.cause)}` : "";
}
