import type { EngineContext } from "#durable/state/context";
import type { Store } from "#durable/state/kept";
import { writeCalls } from "./calls";
import { commandAt, loadCommands, unwrittenCommands, type Command, type Target } from "./command-table";
import { compare } from "#domain/compare";

/** Three digits, 0 before 1: whether it is a verification, whether an ON, whether not a person's. */
type Rank = `${0 | 1}${0 | 1}${0 | 1}`;

const PERSON_OR_OFF: Rank[] = ["000", "010", "001"];
const PLANNED_ON: Rank[] = ["011"];
const VERIFY: Rank[] = ["100", "101", "110", "111"];
/** The commands of one rank, in the order of an index. */
const OF_RANK = `SELECT * FROM (
  SELECT target_kind AS kind, target_id AS id, hub, due_at, '?3?4?5' AS rank FROM commands
  WHERE phase IN ('send', 'verify') AND (phase = 'verify') = ?3 AND (action = 'on') = ?4 AND (source <> 'manual') = ?5
    AND due_at <= ?1 AND NOT EXISTS (SELECT 1 FROM calls WHERE calls.hub = commands.hub)
  ORDER BY due_at, target_kind, target_id LIMIT ?2 + 0)`;
const SENDS_FIRST = inOrder([...PERSON_OR_OFF, ...PLANNED_ON, ...VERIFY]);
/** Used every fourth time: otherwise, at dusk, verifications would wait until the whole city is lit. */
const VERIFY_BEFORE_ON = inOrder([...PERSON_OR_OFF, ...VERIFY, ...PLANNED_ON]);

type Ready = { kind: Target["kind"]; id: string; hub: string; due_at: number; rank: Rank };

/** Two statements for eight ranks: few, as most passes find nothing; the platform allows five parts in one statement. */
function inOrder(ranks: Rank[]): { ranks: Rank[]; statements: string[] } {
  const each = ranks.map(([verify = "", on = "", other = ""]) =>
    OF_RANK.replaceAll("?3", verify).replaceAll("?4", on).replaceAll("?5", other),
  );
  const statements = [each.slice(0, 4), each.slice(4)].map((half) => `${half.join(" UNION ALL ")} LIMIT ?2 + 0`);
  return { ranks, statements };
}

/**
 * Up to `most` commands that are due and whose hub is free, one for each hub: a person before the others, OFF before ON,
 * sends before verifications. Each rank is read in the order of an index, no further than it must be, however many wait
 * behind it; those that this transaction has made are not written before, as most leave in it. `isAll`: nothing else was
 * ready. `unreadable`: the targets of rows that are no commands.
 */
export function readyCommands(
  context: EngineContext,
  most: number,
): { ready: Command[]; unreadable: Target[]; isAll: boolean } {
  const { sql } = context;
  writeCalls(sql);
  context.asked_for_ready += 1;
  const { ranks, statements } = context.asked_for_ready % 4 === 0 ? VERIFY_BEFORE_ON : SENDS_FIRST;
  const unwritten = unwrittenCommands(sql);
  const found = readyOf(context, unwritten.live);
  const limit = most + unwritten.count;
  let isAll = true;
  for (const statement of statements) {
    const rows = sql.exec<Ready>(statement, context.now(), limit).toArray();
    found.push(...rows.filter((row) => !unwritten.has(row)));
    isAll = rows.length < limit;
    if (!isAll) break;
  }
  const inTurn = found.toSorted(
    (a, b) =>
      ranks.indexOf(a.rank) - ranks.indexOf(b.rank) ||
      a.due_at - b.due_at ||
      compare(a.kind, b.kind) ||
      compare(a.id, b.id),
  );
  return { ...firstOfHubs(sql, inTurn.slice(0, most)), isAll: isAll && inTurn.length <= most };
}

/** Those of the commands that are due and whose hub is free. */
function readyOf({ sql, now }: EngineContext, commands: Command[]): Ready[] {
  const due = commands.filter(({ phase, due_at }) => (phase === "send" || phase === "verify") && due_at <= now());
  if (due.length === 0) return [];
  const free = sql.exec<{ hub: string }>(
    "SELECT value AS hub FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM calls WHERE calls.hub = value)",
    JSON.stringify(due.map(({ hub }) => hub)),
  );
  const hubs = new Set(free.toArray().map(({ hub }) => hub));
  return due
    .filter(({ hub }) => hubs.has(hub))
    .map(({ target, hub, due_at, ...command }) => ({ ...target, hub, due_at, rank: rankOf(command) }));
}

function rankOf({ phase, action, source }: Pick<Command, "phase" | "action" | "source">): Rank {
  return `${phase === "verify" ? 1 : 0}${action === "on" ? 1 : 0}${source === "manual" ? 0 : 1}`;
}

function firstOfHubs(sql: Store, inTurn: Ready[]): { ready: Command[]; unreadable: Target[] } {
  const ids = inTurn.filter(({ kind }) => kind === "device").map(({ id }) => id);
  if (ids.length > 1) loadCommands(sql, ids);
  const ready = new Map<string, Command>();
  const unreadable: Target[] = [];
  for (const { hub, kind, id } of inTurn) {
    if (ready.has(hub)) continue;
    const command = commandAt(sql, { kind, id });
    if (command) ready.set(hub, command);
    else unreadable.push({ kind, id });
  }
  return { ready: [...ready.values()], unreadable };
}
