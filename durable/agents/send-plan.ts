import { partsOf } from "#domain/agent/plan-parts";
import type { StandingPlan } from "#domain/agent/standing-plan";
import { hurryOffTimers } from "#durable/dispatch/off-timer";
import { settlesAt } from "#durable/monitoring/agent-health";
import { noteTaken } from "#durable/monitoring/refused-plan";
import type { EngineContext } from "#durable/state/context";
import { plan } from "#durable/state/plan";
import { agentPlan, saveAgentPlan } from "#durable/state/standing-plans";
import { putTimer, putTimerNoLater } from "#durable/state/timers";
import { isSamePlan, standingPlanFor } from "./standing-plan";

/** A plan that is not answered in this time is sent again, and one that is refused: first soon, then less often. */
const ANSWERED_WITHIN_MS = 30_000;
const REFUSED_AGAIN_MS = 600_000;
/** An agent that is cut off has a plan for 42 h at least. */
const RENEWED_EVERY_MS = 6 * 3_600_000;
/**
 * A restored city has not sent so many plans since its backup. Who had a stolen secret could name a revision after which
 * none can be counted, and the agent with the new secret would hang up on each plan for ever.
 */
const MOST_AHEAD = 1_000_000;

/**
 * An agent's turn: it is sent its plan where that has changed, is getting old, or was never answered. Without a line
 * nothing is done; its next hello asks for another turn. Must run inside a transaction.
 */
export function planTurn(context: EngineContext, agent_id: string): void {
  const { sql, agents } = context;
  if (!agents.socketOf(agent_id) || !plan.isAgent(sql, agent_id)) return;
  // Of what its log has yet to tell nobody could say which lamps it means, had it another plan by then.
  const settles_at = settlesAt(context, agent_id);
  if (settles_at !== null) return putTimer(sql, "agent_plan", agent_id, settles_at);
  const now = context.now();
  const known = agentPlan(sql, agent_id);
  const { rev, sent, sent_at } = known;
  const next = standingPlanFor(context, agent_id, rev + 1);
  const isOld = sent_at === null || now - sent_at >= RENEWED_EVERY_MS;
  if (sent === null || isOld || !isSamePlan(sent, next, now)) {
    saveAgentPlan(sql, { ...known, rev: next.rev, sent: next, sent_at: now });
    hurryOffTimers(context, next);
    void send(context, next);
  } else if (known.answered_rev !== rev) {
    void send(context, sent);
  } else if (known.taken?.rev !== rev) {
    void send(context, sent);
    return putTimer(sql, "agent_plan", agent_id, now + REFUSED_AGAIN_MS);
  } else {
    return putTimer(sql, "agent_plan", agent_id, sent_at + RENEWED_EVERY_MS);
  }
  putTimer(sql, "agent_plan", agent_id, now + ANSWERED_WITHIN_MS);
}

/** Never rejects: what is not answered is sent again. */
async function send(context: EngineContext, next: StandingPlan): Promise<void> {
  const { agent: agent_id, rev } = next;
  try {
    const body = JSON.stringify(next);
    const { sign } = await context.planKey();
    const sig = await sign(body);
    for (const part of partsOf({ rev, body, sig })) if (!context.agents.send(agent_id, part)) return;
  } catch (error) {
    context.log({ level: "error", event: "agent.plan_not_sent", agent_id, rev, reason: String(error) });
  }
}

/**
 * An agent has said which plan it holds. One that holds none was installed anew: its log begins again. One that holds a
 * later one than was ever sent met this object before it was restored: it is sent the plan of the city as it is now. Must
 * run inside a transaction.
 */
export function noteHeldPlan(
  context: EngineContext,
  agent_id: string,
  { plan_rev: held, log_from }: { plan_rev: number | null; log_from: number | null },
): void {
  const { sql, now } = context;
  const known = agentPlan(sql, agent_id);
  const { taken, log_upto } = known;
  const isAhead = held !== null && held > known.rev;
  const sent = isAhead ? null : known.sent;
  const isHeld = (one: StandingPlan | null) => one !== null && one.rev === held;
  if (isHeld(sent)) noteTaken(context, agent_id);
  // Entries from before the backup do not come again, so entries with such numbers are a new installation's first ones.
  const isAnew = log_upto > 0 && (held === null || (isAhead && log_from !== null && log_from <= log_upto));
  saveAgentPlan(sql, {
    ...known,
    rev: Math.max(known.rev, Math.min(held ?? 0, known.rev + MOST_AHEAD)),
    sent,
    answered_rev: held,
    taken: isHeld(sent) ? sent : isHeld(taken) ? taken : null,
    refused: isHeld(sent) ? null : known.refused,
    ...(isAnew && { log_upto: 0, log_run: known.log_run + 1 }),
  });
  putTimer(sql, "agent_plan", agent_id, now());
}

/** Asks for a new plan of each agent: its record or its lights may have changed. Must run inside a transaction. */
export function askForPlans({ sql, agents, now }: EngineContext, agent_ids: Iterable<string>): void {
  for (const id of agent_ids) if (agents.socketOf(id)) putTimerNoLater(sql, "agent_plan", id, now() + SETTLES_MS);
}

/** Changes come in groups: the plan is sent once, after the last of them. */
const SETTLES_MS = 2_000;
