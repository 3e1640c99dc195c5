import { toldBefore } from "#durable/reporting/state-log";
import type { Kind } from "#durable/state/deliveries";
import type { ObjectRow, ObjectTable } from "./backup";

/** A row as a restored object takes it up (`now` is epoch ms); null where it does not. */
type TakeUp = (row: ObjectRow, now: number) => ObjectRow | null;

/**
 * A light's instants are what people and limits made of it, and stand. What was resolved, read, sent or told may be
 * otherwise by now: the first evaluation decides anew, and has missed nothing, since nobody knows what was in between.
 */
const UNSEEN = {
  reported: "unknown",
  reported_at: null,
  written_at: null,
  sent_at: null,
  resolved_state: null,
  resolved_reason: null,
  reconciled_at: null,
  test_until: null,
  hold_told: null,
  reported_told: null,
  problem: null,
  problem_since: null,
};

/** The log is restored, too: it would go on wanting what was to be lit then. */
function unseen(row: ObjectRow): ObjectRow {
  const told = row["desired_told"];
  return { ...row, ...UNSEEN, desired_told: typeof told === "string" ? toldBefore(told) : null };
}

/** What happened. What else waits to be told are states, which are told anew. */
const FACTS: ReadonlySet<string> = new Set<Kind>([
  "scheduler_event",
  "device_event",
  "connectivity_log",
  "notification",
  "state_change",
  "alarm",
]);

/** What becomes of each row of a backup in an object that begins anew with it. */
export const TAKE_UP: Record<ObjectTable, TakeUp> = {
  device_memory: unseen,
  // One that is over has its record, or nobody knows what became of it.
  claims: (row, now) => (Number(row["end"]) > now ? row : null),
  // What was under way for a light is decided anew; an OFF that an old address is owed is nobody else's.
  commands: (row, now) => (row["target_kind"] === "pending_off" ? { ...row, phase: "send", due_at: now } : null),
  incidents: (row) => ({ ...row, next_at: 0 }),
  outbox: toldAgain,
  agent_links: (row, now) => ({ ...row, connected_since: null, away_since: row["away_since"] ?? now }),
  standing_plans: (row) => row,
  planned_lamps: (row) => row,
};

function toldAgain(row: ObjectRow): ObjectRow | null {
  const { id: _, ...fact } = row;
  return FACTS.has(String(row["kind"])) ? { ...fact, set_aside: null } : null;
}
