import { WHOLE_CITY } from "#durable/reporting/alarms";
import { closeIncident, notifyBack, notifyOnce, openIncident } from "#durable/reporting/incidents";
import { agentName } from "#durable/state/agent-links";
import type { EngineContext } from "#durable/state/context";

/**
 * An agent has refused its plan; `why` is its own sentence. The plan is sent once more before people hear of it, since what
 * the agent lacked may be there by then. Must run inside a transaction.
 */
export function noteRefused(context: EngineContext, agent_id: string, why: string): void {
  if (openIncident(context, incidentOf(agent_id))) return;
  const { name } = agentName(context.sql, agent_id, context.now());
  const message = `Agent ${name} refuses its plan: cut off, it would go by an older one, or by none.`;
  const alarm = { what: "No new plan", why: `agent ${name} refuses it: ${why}`, about: WHOLE_CITY };
  notifyOnce(context, incidentOf(agent_id), "plan_refused", message, alarm);
}

/** The agent has the plan that it was sent. Must run inside a transaction. */
export function noteTaken(context: EngineContext, agent_id: string): void {
  const over = closeIncident(context, incidentOf(agent_id));
  if (!over) return;
  const { name } = agentName(context.sql, agent_id, context.now());
  notifyBack(context, [over], "plan_taken", `Agent ${name} has its plan again.`);
}

/** Nothing is reached through the agent any more, or it is no more. Must run inside a transaction. */
export function forgetRefused(context: EngineContext, agent_id: string): void {
  closeIncident(context, incidentOf(agent_id));
}

function incidentOf(agent_id: string): string {
  return `agent_plan:${agent_id}`;
}
