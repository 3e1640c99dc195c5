import type { EngineContext } from "#durable/state/context";
import { commandAt, type Command, type Target } from "./command";

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
const SENDS_FIRST = [...PERSON_OR_OFF, ...PLANNED_ON, ...VERIFY];
/** Every fourth time: at dusk a verification would else wait until the whole city is lit. */
const VERIFY_BEFORE_ON = [...PERSON_OR_OFF, ...VERIFY, ...PLANNED_ON];

/**
 * Up to `most` commands that are due and whose hub is free, one for each hub: a person before the others, OFF before ON,
 * sends before verifications. Each rank is asked for by itself, so that an index answers in order, however many wait behind
 * it. `isAll`: nothing else was ready.
 */
export function readyCommands(context: EngineContext, most: number): { ready: Command[]; isAll: boolean } {
  const { sql } = context;
  sql.kept?.write();
  context.asked_for_ready += 1;
  const ready = new Map<string, Command>();
  for (const rank of context.asked_for_ready % 4 === 0 ? VERIFY_BEFORE_ON : SENDS_FIRST) {
    const rows = sql
      .exec<{ kind: Target["kind"]; id: string; hub: string }>(
        `SELECT target_kind AS kind, target_id AS id, hub FROM commands
         WHERE phase IN ('send', 'verify') AND (phase = 'verify') = ? AND (action = 'on') = ? AND (source <> 'manual') = ?
           AND due_at <= ? AND NOT EXISTS (SELECT 1 FROM calls WHERE calls.hub = commands.hub)
         ORDER BY due_at, target_kind, target_id LIMIT ?`,
        ...rank,
        context.now(),
        most - ready.size,
      )
      .toArray();
    const isMore = rows.length === most - ready.size;
    for (const { hub, ...target } of rows) {
      const command = ready.has(hub) ? null : commandAt(sql, target);
      if (command) ready.set(hub, command);
    }
    if (isMore) return { ready: [...ready.values()], isAll: false };
  }
  return { ready: [...ready.values()], isAll: true };
}
