import { formatMoment } from "#domain/time/display";
import type { Agent } from "#domain/records/records";

/** How an agent stands, as its badge says it: a revoked one is revoked, whatever it was before. */
export function agentStanding({ status, revoked_at }: Pick<Agent, "status" | "revoked_at">) {
  return revoked_at === null ? status : "revoked";
}
export type AgentStanding = ReturnType<typeof agentStanding>;

type Told = Pick<Agent, "status" | "revoked_at" | "connected_since" | "last_seen">;

/** 'Connected since 8:14 PM', 'Away since yesterday 8:14 PM', 'Revoked at ...', in the zone, of `now` (epoch ms). */
export function agentSentence(agent: Told, zone: string, now: number): string {
  const at = (instant: string) => formatMoment(Date.parse(instant), zone, now);
  if (agent.revoked_at !== null) return `Revoked ${at(agent.revoked_at)}: it cannot connect until it has a new secret`;
  if (agent.status === "online" && agent.connected_since) return `Connected since ${at(agent.connected_since)}`;
  if (agent.status === "never") return "Never connected: install the program on a computer beside the hubs";
  return agent.last_seen ? `Away since ${at(agent.last_seen)}` : "Away";
}

/** Why an agent that was cut off now would follow an older plan than the city's; null if it has the city's. */
export function refusedPlanSentence({ plan_refused }: Pick<Agent, "plan_refused">): string | null {
  if (plan_refused === null) return null;
  return `It has not taken the city's latest plan, and would keep an older one if it were cut off: ${plan_refused}`;
}
