import { formatMoment } from "#domain/time/display";
import type { AgentName } from "#durable/providers/agent";
import { insertRows } from "./insert-rows";
import type { Store } from "./kept";
import { keptTable } from "./kept-table";
import { plan, settingsOf } from "./plan";

/**
 * Since when an agent is connected, or away (epoch ms): one of the two; and its program's version. It outlives the
 * process, which its line does not.
 */
export type AgentLink = {
  agent_id: string;
  connected_since: number | null;
  away_since: number | null;
  agent_version: string | null;
};

const links = keptTable<AgentLink>({
  read: (sql, agent_id) =>
    sql.exec<AgentLink>("SELECT * FROM agent_links WHERE agent_id = ?", agent_id).toArray()[0] ?? null,
  write: (sql, rows) =>
    insertRows(
      sql,
      "INSERT OR REPLACE INTO agent_links (agent_id, connected_since, away_since, agent_version) VALUES (?, ?, ?, ?)",
      rows.map(({ key, row }) => [key, row.connected_since, row.away_since, row.agent_version]),
    ),
  drop: (sql, agent_id) => void sql.exec("DELETE FROM agent_links WHERE agent_id = ?", agent_id),
  most: 1_000,
});

/** Null where the agent has never been connected. */
export function linkOf(sql: Store, agent_id: string): AgentLink | null {
  return links(sql).get(agent_id);
}

/** The agent is there since `now` (epoch ms). */
export function noteConnected(sql: Store, agent_id: string, agent_version: string, now: number): void {
  links(sql).put(agent_id, { agent_id, connected_since: now, away_since: null, agent_version });
}

/** The agent is away from now on; it stays away since when it was first noticed. Answers whether it is news. */
export function noteAway(sql: Store, agent_id: string, now: number): boolean {
  const link = linkOf(sql, agent_id);
  if (link === null || link.away_since !== null) return false;
  links(sql).put(agent_id, { ...link, connected_since: null, away_since: now });
  return true;
}

/** The agent is no more. */
export function forgetLink(sql: Store, agent_id: string): void {
  links(sql).drop(agent_id);
}

/** What people call the agent, and since when it is away, as sentences say it. `now` is epoch ms. */
export function agentName(sql: Store, agent_id: string, now: number): AgentName {
  const away_since = linkOf(sql, agent_id)?.away_since ?? null;
  return {
    name: plan.agentName(sql, agent_id) ?? "that was deleted",
    away_since: away_since === null ? null : formatMoment(away_since, settingsOf(sql).APP_TIMEZONE, now),
  };
}
