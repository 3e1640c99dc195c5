import { z } from "zod";
import { parts } from "#db/parts";
import { standingPlan, type StandingPlan } from "#domain/agent/standing-plan";
import { insertRows } from "./insert-rows";
import type { Store } from "./kept";
import { keptTable, type Written } from "./kept-table";

/**
 * What an agent may do alone, as far as the object knows. `taken` is the last plan that it has stored, `answered_rev` the
 * last revision that it has taken or refused, `refused` why it was refused. `log_upto` is the last entry of its log that was taken in; `log_run` counts
 * how often it was installed anew and its log began again. Instants are epoch ms.
 */
export type AgentPlan = {
  agent_id: string;
  rev: number;
  sent_at: number | null;
  sent: StandingPlan | null;
  answered_rev: number | null;
  taken: StandingPlan | null;
  log_upto: number;
  log_run: number;
  refused: string | null;
};

type Row = Omit<AgentPlan, "sent" | "taken"> & { sent: string | null; taken: string | null };

const PLANS = ["sent", "taken"] as const;
type Which = (typeof PLANS)[number];

/**
 * A row holds 2 MB, here and in D1, where the rows of a backup wait. The lamps of a plan that is longer than this stand in
 * rows of their own, and the plan says in how many; the release before reads it as one without lamps, and sends another.
 */
const MOST_CHARACTERS = 300_000;
const inRow = standingPlan.extend({ in_parts: z.number().int().nonnegative().default(0) });

const INSERT = `INSERT OR REPLACE INTO standing_plans (agent_id, rev, sent_at, sent, answered_rev, taken, log_upto, log_run, refused)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const plans = keptTable<AgentPlan>({
  read: (sql, agent_id) => {
    const [row] = sql.exec<Row>("SELECT * FROM standing_plans WHERE agent_id = ?", agent_id).toArray();
    return row ? { ...row, sent: planIn(sql, row, "sent"), taken: planIn(sql, row, "taken") } : null;
  },
  write: (sql, rows) => {
    for (const row of rows) writeLamps(sql, row);
    insertRows(
      sql,
      INSERT,
      rows.map(({ row }) => valuesOf(row)),
    );
  },
  drop: (sql, agent_id) => {
    sql.exec("DELETE FROM standing_plans WHERE agent_id = ?", agent_id);
    sql.exec("DELETE FROM planned_lamps WHERE agent_id = ?", agent_id);
  },
  most: 100,
});

function valuesOf({ sent, taken, ...plan }: AgentPlan): SqlStorageValue[] {
  const { agent_id, rev, sent_at, answered_rev, log_upto, log_run, refused } = plan;
  const [sentText, takenText] = [sent && textOf(sent), taken && textOf(taken)];
  return [agent_id, rev, sent_at, sentText, answered_rev, takenText, log_upto, log_run, refused];
}

/** The plan as its own row has it. */
function textOf(plan: StandingPlan): string {
  const in_parts = lampsInParts(plan).length;
  return JSON.stringify(in_parts === 0 ? plan : { ...plan, lamps: [], in_parts });
}

/** What stands in rows of its own; nothing of a plan that one row holds. */
function lampsInParts({ lamps }: StandingPlan): StandingPlan["lamps"][] {
  const all = [...parts(lamps, MOST_CHARACTERS)];
  return all.length > 1 ? all : [];
}

/** Plans that were read out of one row, as another release wrote them: their lamps stand in no rows of their own yet. */
const inOneRow = new WeakSet<StandingPlan>();

/** Writes the lamps of those plans that have changed, or that another release wrote otherwise. */
function writeLamps(sql: SqlStorage, { key: agent_id, row, stored }: Written<AgentPlan>): void {
  for (const which of PLANS) {
    const plan = row[which];
    if (stored && stored[which] === plan && !(plan && inOneRow.has(plan))) continue;
    sql.exec("DELETE FROM planned_lamps WHERE agent_id = ? AND plan = ?", agent_id, which);
    const all = plan === null ? [] : lampsInParts(plan);
    for (const [n, lamps] of all.entries())
      sql.exec(
        "INSERT INTO planned_lamps (agent_id, plan, n, rev, lamps) VALUES (?, ?, ?, ?, ?)",
        agent_id,
        which,
        n,
        plan?.rev ?? 0,
        JSON.stringify(lamps),
      );
  }
}

/** One of another release is as good as none, as is one whose lamps are not all there: a new one follows. */
function planIn(sql: Store, row: Row, which: Which): StandingPlan | null {
  const text = row[which];
  const { data } = inRow.safeParse(text === null ? null : JSON.parse(text));
  if (!data) return null;
  const { in_parts, ...plan } = data;
  if (in_parts === 0) {
    if (lampsInParts(plan).length > 0) inOneRow.add(plan);
    return plan;
  }
  const found = sql
    .exec<{ lamps: string }>(
      "SELECT lamps FROM planned_lamps WHERE agent_id = ? AND plan = ? AND rev = ? AND n < ? ORDER BY n",
      row.agent_id,
      which,
      plan.rev,
      in_parts,
    )
    .toArray();
  if (found.length !== in_parts) return null;
  const lamps: unknown[] = found.flatMap((part) => JSON.parse(part.lamps));
  return standingPlan.safeParse({ ...plan, lamps }).data ?? null;
}

/** What the object knows of the agent's plan; of an agent that never had one, nothing. */
export function agentPlan(sql: Store, agent_id: string): AgentPlan {
  const unsent = { rev: 0, sent_at: null, sent: null, answered_rev: null, taken: null, refused: null };
  return plans(sql).get(agent_id) ?? { agent_id, ...unsent, log_upto: 0, log_run: 0 };
}

/** The plan `rev` that an agent goes by; null where it is not known any more. */
export function planByRev(sql: Store, agent_id: string, rev: number | null): StandingPlan | null {
  const { taken, sent } = agentPlan(sql, agent_id);
  return [taken, sent].find((plan) => plan !== null && plan.rev === rev) ?? null;
}

/** Replaces it. Must run inside a transaction. */
export function saveAgentPlan(sql: Store, known: AgentPlan): void {
  plans(sql).put(known.agent_id, known);
}

/** The agent is no more. */
export function forgetAgentPlan(sql: Store, agent_id: string): void {
  plans(sql).drop(agent_id);
}
