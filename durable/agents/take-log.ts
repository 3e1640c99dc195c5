import type { AgentLogEntry } from "#domain/agent/frames";
import { readFor } from "#domain/resolve/cooling";
import { sawState, sentOn } from "#domain/resolve/instants";
import { noteTimerSetAlone } from "#durable/dispatch/off-timer";
import { noteLitAlone } from "#durable/reconcile/windows";
import { namesOf, publishState, recordCall, recordEvent } from "#durable/reporting/events";
import { noteReported } from "#durable/reporting/state-log";
import { commandFor } from "#durable/commands/command-table";
import type { EngineContext } from "#durable/state/context";
import { memoryOf, noteSent, saveMemory } from "#durable/state/device-memory";
import { plan } from "#durable/state/plan";
import { agentPlan, saveAgentPlan } from "#durable/state/standing-plans";
import { putOutLeftLamps } from "./left-lamps";
import { agentOf, isOfOtherLamp } from "./on-states";

/** The engine's clock and the agent's differ by the line's delay. */
const CLOCKS_DIFFER_MS = 5_000;

/**
 * Takes in what an agent did alone: the history, each window's record, and since when each light is lit. Each entry counts
 * once, also where it comes again since the acknowledgement was lost. Answers up to which entry all are known. Must run
 * inside a transaction.
 */
export function takeLog(context: EngineContext, agent_id: string, entries: AgentLogEntry[]): number {
  const known = agentPlan(context.sql, agent_id);
  const fresh = entries.filter(({ n }) => n > known.log_upto).toSorted((a, b) => a.n - b.n);
  const happened = noneOfTheFuture(fresh, context.now());
  for (const entry of happened) {
    // A lamp that has another agent by now, or is no more, has its history elsewhere.
    if (agentOf(context, entry.device) !== agent_id) continue;
    takeEntry(context, entry, idOf(agent_id, known.log_run, entry.n));
    if (!isOfOtherLamp(context, agent_id, entry.device, entry.rev)) takeState(context, entry);
    if (entry.action === "on" && entry.attempts > 0) noteTimerSetAlone(context, agent_id, entry);
  }
  putOutLeftLamps(context, agent_id, happened);
  const log_upto = fresh.at(-1)?.n ?? known.log_upto;
  if (log_upto !== known.log_upto) saveAgentPlan(context.sql, { ...agentPlan(context.sql, agent_id), log_upto });
  return log_upto;
}

/**
 * An agent that started without the city may have gone by a clock that nobody had set: none of its entries happened after
 * the next one, nor after now (epoch ms).
 */
function noneOfTheFuture(entries: AgentLogEntry[], now: number): AgentLogEntry[] {
  let latest = now;
  return entries
    .toReversed()
    .map((entry) => {
      latest = Math.min(latest, entry.at);
      return { ...entry, at: latest };
    })
    .toReversed();
}

/** An agent that was installed anew counts from 1 again. */
function idOf(agent_id: string, log_run: number, n: number): string {
  return log_run === 0 ? `agent:${agent_id}:${n}` : `agent:${agent_id}:${log_run}:${n}`;
}

function takeEntry(context: EngineContext, entry: AgentLogEntry, id: string): void {
  const { device, action, kind, ok, at } = entry;
  if (action !== null && entry.attempts > 0) recordSwitch(context, entry, id);
  if (kind === "edge" && action === "on" && ok) noteLitAlone(context, device, at);
}

/** One that failed is tried again by whoever decides now, and told to people where that fails, too. */
function recordSwitch(
  context: EngineContext,
  { device, action, ok, attempts, note, at }: AgentLogEntry,
  id: string,
): void {
  if (action === null) return;
  const names = namesOf(context, device, null);
  const agent = plan.agentName(context.sql, agentOf(context, device) ?? "") ?? "";
  const { device_name, dept_id } = names;
  const says = ok ? "done alone" : "tried alone, not verified";
  recordEvent(
    context,
    id,
    {
      device_id: device,
      device_name,
      dept_id,
      source: "scheduler",
      action,
      result: ok ? "ok" : "retry",
      attempts,
      note,
      cause: "attempt",
    },
    at,
  );
  const snippet = `local (agent ${agent}): ${says}`;
  const answer = { ok, provider: "local" as const, http_status: null, snippet };
  recordCall(context, id, { device_id: device, names, action }, answer, at);
}

/**
 * What was seen on site is believed, unless something was switched or read here since. After an ON that it could not verify the
 * lamp may be lit, as after one of ours.
 */
function takeState(context: EngineContext, { device, state, kind, action, attempts, at }: AgentLogEntry): void {
  const memory = memoryOf(context.sql, device);
  const { sent_at, reported_at } = memory;
  const isOvertaken = at < (reported_at ?? 0) || at + CLOCKS_DIFFER_MS < (sent_at ?? 0);
  if (isOvertaken || commandFor(context.sql, device)) return;
  if (state === "unknown") {
    const isSent = kind === "edge" && action === "on" && attempts > 0;
    if (isSent) noteSent(context.sql, device, action, Math.max(at, sent_at ?? 0));
    return;
  }
  publishState(context, memory, state, { always: true });
  noteReported(context, memory, state, at);
  const lit = kind === "edge" && state === "on" ? sentOn(memory, at) : sawState(memory, state, at);
  saveMemory(context.sql, {
    ...memory,
    ...lit,
    ...readFor(memory, state, at),
    reported: state,
    reported_at: Math.max(at, (sent_at ?? 0) + 1),
  });
}
