import { toIso } from "#domain/time/to-iso";
import { enqueuePoll } from "#durable/commands/polls";
import { hurryPendingOffs } from "#durable/commands/command-table";
import { carriedBy, carry, type AgentSocket } from "#durable/providers/agent-socket";
import { sidesOf } from "#durable/providers/hybrid";
import type { ProviderResult } from "#durable/providers/provider";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { WHOLE_CITY } from "#durable/reporting/alarms";
import {
  closeIncident,
  incident,
  notifyBack,
  notifyOnce,
  openIncident,
  openIncidents,
} from "#durable/reporting/incidents";
import { forgetRefused } from "./refused-plan";
import { agentName, forgetLink, linkOf, noteAway, noteConnected } from "#durable/state/agent-links";
import { nextSeq } from "#durable/state/meta";
import type { EngineContext } from "#durable/state/context";
import { enqueue } from "#durable/state/outbox";
import { plan, plannedIds, settingsOf } from "#durable/state/plan";
import { agentPlan, forgetAgentPlan } from "#durable/state/standing-plans";
import { dropTimer, putTimerNoLater } from "#durable/state/timers";

/** What an agent did alone has so long to arrive, before the scheduler goes on without. */
export const TAKE_IN_MS = 5_000;
/** Trouble that is younger is over with a ping, or with a new line. */
const UNSTEADY_MS = 60_000;
/** So long after an agent has come back, its hubs' return is news. */
const JUST_BACK_MS = 120_000;

/** Whether a call failed between us and the agent. */
export function failedAtAgent({ failures = [] }: ProviderResult): boolean {
  return failures.some(({ where }) => where === "agent");
}

/**
 * Takes in what a call to one of its hubs says about an agent. One that answers again on the line that it had is back as one
 * with a new line is. Must run inside a transaction.
 */
export function noteAgentAnswer(context: EngineContext, agent_id: string, answer: ProviderResult): void {
  if (failedAtAgent(answer)) return noteTrouble(context, agent_id);
  const isAnswered = answer.ok ? answer.provider === "local" : answer.failures.length > 0 && !isOfCloud(answer);
  if (!isAnswered || !context.agents.socketOf(agent_id)) return;
  if (endTrouble(context, agent_id)) context.agents.noteBack(agent_id);
  if (!context.agents.isLookDue(agent_id)) return;
  pingHubs(context, agent_id);
  lookAgain(context, agent_id);
}

/**
 * Whether an answer of the hub may end its agent's trouble, or has what failed made good; a line that loses some answers would
 * be back with each other one.
 */
export function awaitsAgent(context: EngineContext, hub: { agent_id: string | null } | null): boolean {
  const agent_id = hub?.agent_id ?? null;
  if (agent_id === null) return false;
  const trouble = incident(context, `agent:${agent_id}`);
  return context.agents.isLookDue(agent_id) || (trouble !== null && context.now() - trouble.since >= UNSTEADY_MS);
}

/** Whether only the cloud was asked, of which the agent knows nothing. */
function isOfCloud({ provider, failures = [] }: ProviderResult): boolean {
  return provider === "cloud" && failures.every(({ where }) => where !== "hub");
}

/**
 * An agent's turn, with that of each of its hubs: a silent line is closed, an agent that is away for long has its alarm,
 * and D1 hears when it was last seen. Must run inside a transaction.
 */
export function checkAgent(context: EngineContext, agent_id: string): void {
  for (const socket of context.agents.silent(agent_id)) context.agents.hangUp(socket, "silent", "No ping for 70 s");
  const socket = context.agents.socketOf(agent_id);
  if (!socket) return noteTrouble(context, agent_id);
  tellLink(context, agent_id, false);
  const { welcomed_at = null, settled_at = null } = carriedBy(socket) ?? {};
  // The process that would have done it has died.
  if (settled_at === null && context.now() >= (welcomed_at ?? 0) + TAKE_IN_MS) settleLine(context, socket);
}

/** The agent has said hello. Must run inside a transaction. */
export function noteOnline(context: EngineContext, agent_id: string, agent_version: string): void {
  noteConnected(context.sql, agent_id, agent_version, context.now());
  tellLink(context, agent_id, true);
}

/** The agent's socket is gone; it may have another. Must run inside a transaction. */
export function noteGone(context: EngineContext, agent_id: string): void {
  if (context.agents.open(agent_id).length === 0 && plan.isAgent(context.sql, agent_id)) noteTrouble(context, agent_id);
}

/**
 * What the agent did alone has been taken in, or has not come in time: its trouble is over, and its hubs and lights are
 * looked at. Once for each line, and not for one that is gone by then: the agent is away. Must run inside a transaction.
 */
export function settleLine(context: EngineContext, socket: AgentSocket): void {
  const carried = carriedBy(socket);
  if (!carried || carried.welcomed_at === null || carried.settled_at !== null) return;
  const { agent_id } = carried;
  if (!context.agents.open(agent_id).includes(socket)) return;
  // First, since a part of a transaction begins anew with what it writes to the tables: by then the line would be settled.
  pingHubs(context, agent_id);
  carry(socket, { settled_at: context.now() });
  endTrouble(context, agent_id);
  putTimerNoLater(context.sql, "agent_plan", agent_id, context.now());
  lookAgain(context, agent_id);
}

function pingHubs(context: EngineContext, agent_id: string): void {
  for (const hub_id of plan.hubIdsOfAgent(context.sql, agent_id)) enqueuePoll(context, "ping", hub_id);
}

/** What failed because of the agent is made good. */
function lookAgain(context: EngineContext, agent_id: string): void {
  for (const hub_id of plan.hubIdsOfAgent(context.sql, agent_id)) {
    hurryPendingOffs(context, `hub:${hub_id}`);
    for (const device_id of plan.deviceIdsOfHub(context.sql, hub_id)) reconcileDevice(context, device_id, "hub_back");
  }
  // Last, since what is above may be undone and begun anew in a savepoint, and this is not undone.
  context.agents.noteLooked(agent_id);
  context.startRunners();
}

/** Until when the scheduler's commands for the agent's hubs wait, since what it did alone is on its way; null: they don't. */
export function settlesAt({ agents, now }: EngineContext, agent_id: string | null | undefined): number | null {
  const socket = agent_id ? agents.socketOf(agent_id) : null;
  const { welcomed_at = null, settled_at = null } = (socket && carriedBy(socket)) ?? {};
  if (welcomed_at === null || settled_at !== null) return null;
  return welcomed_at + TAKE_IN_MS > now() ? welcomed_at + TAKE_IN_MS : null;
}

/** Whether the agent has come back a moment ago. */
export function isJustBack({ sql, agents, now }: EngineContext, agent_id: string | null): boolean {
  if (agent_id === null) return false;
  const since = Math.max(linkOf(sql, agent_id)?.connected_since ?? 0, agents.backSince(agent_id) ?? 0);
  return now() - since < JUST_BACK_MS;
}

/** Lights could not be switched, and their agent is why: whoever is responsible is told, once. */
export function notifyOfAgent(context: EngineContext, agent_id: string): void {
  const { name } = agentName(context.sql, agent_id, context.now());
  openIncident(context, `agent:${agent_id}`);
  const message = `Agent ${name} does not answer: the lights behind it can't be switched.`;
  const alarm = { what: "Away", why: `agent ${name} does not answer`, about: WHOLE_CITY };
  notifyOnce(context, `agent:${agent_id}`, "agent_offline", message, alarm);
}

/** The agent is no more: nothing of it concerns anybody. Must run inside a transaction. */
export function forgetAgent(context: EngineContext, agent_id: string): void {
  closeIncident(context, `agent:${agent_id}`);
  forgetRefused(context, agent_id);
  forgetLink(context.sql, agent_id);
  forgetAgentPlan(context.sql, agent_id);
  dropTimer(context.sql, "agent_plan", agent_id);
}

function noteTrouble(context: EngineContext, agent_id: string): void {
  const { sql, agents } = context;
  const now = context.now();
  if (!agents.socketOf(agent_id) && noteAway(sql, agent_id, now)) tellLink(context, agent_id, true);
  if (!isNeeded(context, agent_id)) return;
  if (openIncident(context, `agent:${agent_id}`)) noteCutOff(context, agent_id);
  const since = incident(context, `agent:${agent_id}`)?.since ?? now;
  if (now - since >= settingsOf(sql).HUB_OFFLINE_ALERT_MIN * 60_000) notifyOfAgent(context, agent_id);
}

/** Whether any hub is reached through the agent: what is called by the cloud only, or simulated, does without. */
function isNeeded({ sql }: EngineContext, agent_id: string): boolean {
  const { PROVIDER_MODE } = settingsOf(sql);
  const hubs = plan.hubIdsOfAgent(sql, agent_id).flatMap((id) => plan.readableHub(sql, id) ?? []);
  return hubs.some((hub) => sidesOf(PROVIDER_MODE, hub).includes("local"));
}

/** The plan has changed: an agent that nothing is reached through any more is nobody's trouble. */
export function endTroubleOfUnneeded(context: EngineContext): void {
  for (const agent_id of openIncidents(context, "agent"))
    if (!isNeeded(context, agent_id)) closeIncident(context, `agent:${agent_id}`);
  for (const agent_id of openIncidents(context, "agent_plan"))
    if (!isNeeded(context, agent_id)) forgetRefused(context, agent_id);
}

/** Answers whether there was any. */
function endTrouble(context: EngineContext, agent_id: string): boolean {
  const over = closeIncident(context, `agent:${agent_id}`);
  if (!over) return false;
  const { name } = agentName(context.sql, agent_id, context.now());
  notifyBack(context, [over], "agent_back", `Agent ${name} is back.`);
  return true;
}

/** Nobody knows anything of its hubs now, and what their lights should be cannot be done: that is what is wrong with them. */
function noteCutOff(context: EngineContext, agent_id: string): void {
  const { sql } = context;
  for (const hub_id of plan.hubIdsOfAgent(sql, agent_id)) {
    const hub = plan.readableHub(sql, hub_id);
    const isUnknown = hub && sidesOf(settingsOf(sql).PROVIDER_MODE, hub).every((side) => side === "local");
    if (isUnknown) tellHubDown(context, hub_id, "offline", true);
    for (const device_id of plan.deviceIdsOfHub(sql, hub_id)) reconcileDevice(context, device_id);
  }
}

/** Tells D1 that a hub does not answer or can't be asked, or that it refuses us. */
export function tellHubDown(
  context: EngineContext,
  hub_id: string,
  status: "offline" | "needs attention",
  isNews: boolean,
): void {
  const seq = nextSeq(context);
  enqueue(context, "hub_health", hub_id, { hub_id, isNews, status, last_seen: null, rtt_ms: null, seq });
}

/** Tells D1, which was taken back, how each agent stands: of one that is away it hears nothing else. Must run inside a transaction. */
export function retellAgents(context: EngineContext): void {
  for (const agent_id of plannedIds(context.sql, "agent")) tellLink(context, agent_id, true);
}

/** Tells D1 how the agent stands. Must run inside a transaction. */
export function tellLink(context: EngineContext, agent_id: string, isNews: boolean): void {
  const link = linkOf(context.sql, agent_id);
  if (!link) return;
  const { connected_since, away_since, agent_version } = link;
  enqueue(context, "agent_health", agent_id, {
    agent_id,
    status: connected_since === null ? "offline" : "online",
    connected_since: connected_since === null ? null : toIso(connected_since),
    last_seen: toIso(away_since ?? context.now()),
    agent_version,
    plan_refused: agentPlan(context.sql, agent_id).refused,
    seq: nextSeq(context),
    isNews,
  });
}
