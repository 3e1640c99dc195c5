import type { EngineContext } from "#durable/state/context";
import { writeCalls } from "./calls";
import { commandAt, loadCommands, writeCommands, type Command, type Target } from "./command";

/** Whether it is a verification, an ON, and not a person's: 0 before 1. */
type Rank = readonly [verify: 0 | 1, on: 0 | 1, other: 0 | 1];

const PERSON_OR_OFF: Rank[] = [
  [0, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const PLANNED_ON: Rank[] = [[0, 1, 1]];
const VERIFY: Rank[] = [
  [1, 0, 0],
  [1, 0, 1],
  [1, 1, 0],
  [1, 1, 1],
];
/** Those of one rank, as an index has them in order. */
const OF_RANK = `SELECT * FROM (
  SELECT target_kind AS kind, target_id AS id, hub FROM commands
  WHERE phase IN ('send', 'verify') AND (phase = 'verify') = ?3 AND (action = 'on') = ?4 AND (source <> 'manual') = ?5
    AND due_at <= ?1 AND NOT EXISTS (SELECT 1 FROM calls WHERE calls.hub = commands.hub)
  ORDER BY due_at, target_kind, target_id LIMIT ?2 + 0)`;
const SENDS_FIRST = inOrder([...PERSON_OR_OFF, ...PLANNED_ON, ...VERIFY]);
/** Every fourth time: at dusk a verification would else wait until the whole city is lit. */
const VERIFY_BEFORE_ON = inOrder([...PERSON_OR_OFF, ...VERIFY, ...PLANNED_ON]);

/** Two statements for eight ranks, since most passes of the pump find nothing; the platform takes five parts in one at most. */
function inOrder(ranks: Rank[]): string[] {
  const each = ranks.map(([verify, on, other]) =>
    OF_RANK.replace("?3", `${verify}`).replace("?4", `${on}`).replace("?5", `${other}`),
  );
  return [each.slice(0, 4), each.slice(4)].map((half) => `${half.join(" UNION ALL ")} LIMIT ?2 + 0`);
}

/**
 * Up to `most` commands that are due and whose hub is free, one for each hub: a person before the others, OFF before ON,
 * sends before verifications. Each rank is read in the order of an index, no further than it must be, however many wait
 * behind it. `isAll`: nothing else was ready.
 */
export function readyCommands(context: EngineContext, most: number): { ready: Command[]; isAll: boolean } {
  const { sql } = context;
  writeCommands(sql);
  writeCalls(sql);
  context.asked_for_ready += 1;
  const ready = new Map<string, Command>();
  for (const statement of context.asked_for_ready % 4 === 0 ? VERIFY_BEFORE_ON : SENDS_FIRST) {
    const left = most - ready.size;
    const rows = sql.exec<{ kind: Target["kind"]; id: string; hub: string }>(statement, context.now(), left).toArray();
    const ids = rows.filter(({ kind }) => kind === "device").map(({ id }) => id);
    if (ids.length > 1) loadCommands(sql, "device", ids);
    for (const { hub, ...target } of rows) {
      const command = ready.has(hub) ? null : commandAt(sql, target);
      if (command) ready.set(hub, command);
    }
    if (rows.length === left) return { ready: [...ready.values()], isAll: false };
  }
  return { ready: [...ready.values()], isAll: true };
}
