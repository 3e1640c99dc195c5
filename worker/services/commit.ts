import { messagesOf } from "#db/constraint-failure";
import { organizations } from "#db/organizations";
import { Refusal } from "#domain/errors";
import type { LiveList } from "#domain/lists/live";
import { changedMeanwhile } from "#worker/services/refuse";
import type { Scope, Statement } from "#worker/services/scope";

/**
 * Writes a change and its audit entry in one batch, and hints the engine if the database's triggers noticed a change that
 * it plans from. Refuses with `conflict`, changing nothing, if the record was changed or deleted meanwhile, if a record that
 * it refers to is gone, or if the same record was added meanwhile.
 */
export async function commit({ db, org_id, scheduler }: Scope, noun: Noun, statements: Statement[]): Promise<void> {
  const plan = organizations(db).planVersion(org_id);
  const results = await db.batch([plan, ...statements, plan]).catch((caught: unknown) => {
    throw conflictOf(caught, noun) ?? caught;
  });
  const [before, after] = [results[0], results.at(-1)];
  const lists = LISTS[noun];
  if (lists.length > 0) scheduler.noteLists(org_id, lists);
  if (PEOPLE.includes(noun)) scheduler.checkSessions(org_id);
  if (JSON.stringify(before) !== JSON.stringify(after)) await scheduler.sync(org_id);
}

/** The lists that show each kind of record; of what the engine plans from, it tells by itself. */
export const LISTS = {
  agent: [],
  alarm: ["alarms"],
  area: [],
  calendar: [],
  choice: ["notifications"],
  closure: [],
  department: ["departments"],
  "department member": ["departments"],
  device: [],
  group: [],
  hub: [],
  import: ["imports"],
  permit: [],
  policy: [],
  schedule: [],
  setting: [],
  user: ["users"],
  webhook: ["notifications"],
  workorder: ["workorders"],
} as const satisfies Record<string, LiveList[]>;
type Noun = keyof typeof LISTS;

/** Changes of these decide who may hear what; of settings the engine knows by itself. */
const PEOPLE: Noun[] = ["department", "department member", "user"];

function conflictOf(caught: unknown, noun: string): Refusal | null {
  const message = messagesOf(caught);
  const found = CONFLICTS.find(({ constraint }) => constraint.test(message));
  return found ? new Refusal("conflict", found.sentence(noun)) : null;
}

const CONFLICTS = [
  {
    constraint: /NOT NULL constraint failed: (\w+\.version|settings\.value)/,
    sentence: changedMeanwhile,
  },
  {
    constraint: /NOT NULL constraint failed: audit_logs\.action/,
    sentence: (noun: string) => `This ${noun} was deleted by someone else meanwhile.`,
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
