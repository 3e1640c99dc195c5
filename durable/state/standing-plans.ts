import { standingPlan, type StandingPlan } from "#domain/agent/standing-plan";
import { insertRows } from "./insert-rows";
import type { Store } from "./kept";
import { keptTable } from "./kept-table";

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

const INSERT = `INSERT OR REPLACE INTO standing_plans (agent_id, rev, sent_at, sent, answered_rev, taken, log_upto, log_run, refused)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const plans = keptTable<AgentPlan>({
  read: (sql, agent_id) => {
    const [row] = sql.exec<Row>("SELECT * FROM standing_plans WHERE agent_id = ?", agent_id).toArray();
    return row ? { ...row, sent: parse(row.sent), taken: parse(row.taken) } : null;
  },
  write: (sql, rows) =>
    insertRows(
      sql,
      INSERT,
      rows.map(({ row }) => valuesOf(row)),
    ),
  drop: (sql, agent_id) => void sql.exec("DELETE FROM standing_plans WHERE agent_id = ?", agent_id),
  most: 100,
});

function valuesOf({ sent, taken, ...plan }: AgentPlan): SqlStorageValue[] {
  const { agent_id, rev, sent_at, answered_rev, log_upto, log_run, refused } = plan;
  const [sentText, takenText] = [sent && JSON.stringify(sent), taken && JSON.stringify(taken)];
  return [agent_id, rev, sent_at, sentText, answered_rev, takenText, log_upto, log_run, refused];
}

/** One of another release is as good as none: a new one follows. */
function parse(text: string | null): StandingPlan | null {
  return text === null ? null : (standingPlan.safeParse(JSON.parse(text)).data ?? null);
}

/** What the object knows of the agent's plan; of an agent that never had one, nothing. */
export function agentPlan(sql: Store, agent_id: string): AgentPlan {
  const unsent = { rev: 0, sent_at: null, sent: null, answered_rev: null, taken: null, refused: null };
  return plans(sql).get(agent_id) ?? { agent_id, ...unsent, log_upto: 0, log_run: 0 };
}

/** Replaces it. Must run inside a transaction. */
export function saveAgentPlan(sql: Store, known: AgentPlan): void {
  plans(sql).put(known.agent_id, known);
}

/** The agent is no more. */
export function forgetAgentPlan(sql: Store, agent_id: string): void {
  plans(sql).drop(agent_id);
}
