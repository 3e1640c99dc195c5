import { closeIncident, incident, openIncident, notifyOnce } from "#durable/reporting/incidents";
import { notify } from "#durable/reporting/notify";
import { enqueue } from "#durable/state/outbox";
import { plan, plannedIds, settingsOf } from "#durable/state/plan";
import { enqueuePoll } from "#durable/commands/polls";
import { isAlive } from "./circuit-breaker";
import type { ProviderResult } from "#durable/providers/provider";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { meta, setMeta, type EngineContext } from "#durable/state/context";
import { dropTimer, putTimer } from "#durable/state/timers";

/** A hub's turn: asks for a ping, and for the next turn. */
export function checkHub(context: EngineContext, hub_id: string): void {
  if (!plan.hub(context.sql, hub_id)) return;
  enqueuePoll(context, "ping", hub_id);
  putTimer(context.sql, `hub:${hub_id}`, context.now() + settingsOf(context.sql).HUB_CHECK_INTERVAL_SEC * 1000);
}

/** Gives every hub of the plan a turn within the interval, spread out by its id, so that they are not all asked at once. */
export function spreadHubChecks(context: EngineContext): void {
  const interval_ms = settingsOf(context.sql).HUB_CHECK_INTERVAL_SEC * 1000;
  const changed = meta(context.sql, "hub_interval") !== String(interval_ms);
  setMeta(context.sql, "hub_interval", String(interval_ms));
  const hubs = new Set(plannedIds(context.sql, "hub"));
  const timers = context.sql.exec<{ id: string }>("SELECT id FROM timers WHERE id >= 'hub:' AND id < 'hub;'").toArray();
  const known = new Set(timers.map(({ id }) => id.slice("hub:".length)));
  for (const id of known) if (!hubs.has(id)) dropTimer(context.sql, `hub:${id}`);
  for (const id of hubs) {
    if (known.has(id) && !changed) continue;
    putTimer(context.sql, `hub:${id}`, context.now() + 1_000 + spreadOf(id) * Math.min(interval_ms, 60_000));
  }
}

/** Between 0 and 1, the same for the same id. */
function spreadOf(id: string): number {
  let hash = 0;
  for (const char of id) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 65_521;
  return hash / 65_521;
}

/**
 * Takes in what a call says about its hub: its status for the people, an alert once it was offline for
 * HUB_OFFLINE_ALERT_MIN and when it is back, and another look at its devices when it returns (scenario 28).
 */
export function noteHubHealth(context: EngineContext, hub_id: string, answer: ProviderResult, isBack: boolean): void {
  const hub = plan.hub(context.sql, hub_id);
  if (!hub) return;
  const now = context.now();
  const alive = isAlive(answer);
  if (alive === null) return;
  if (alive) {
    const over = closeIncident(context, `hub:${hub_id}`);
    enqueue(context, "hub_health", hub_id, {
      hub_id,
      status: "online",
      last_seen: new Date(now).toISOString(),
      rtt_ms: answer.ok ? answer.rtt_ms : null,
    });
    if (over?.told_at) notify(context, `hub:${hub_id}:${over.since}`, "hub_back", `Hub ${hub.name} is back.`);
    if (over || isBack)
      for (const id of plan.deviceIdsOfHub(context.sql, hub_id)) reconcileDevice(context, id, "hub_back");
    return;
  }
  openIncident(context, `hub:${hub_id}`);
  enqueue(context, "hub_health", hub_id, { hub_id, status: "offline", last_seen: null, rtt_ms: null });
  const open = incident(context, `hub:${hub_id}`);
  const alert_ms = settingsOf(context.sql).HUB_OFFLINE_ALERT_MIN * 60_000;
  if (open && now - open.since >= alert_ms) {
    const minutes = Math.round((now - open.since) / 60_000);
    notifyOnce(context, `hub:${hub_id}`, "hub_offline", `Hub ${hub.name} has been offline for ${minutes} minutes.`);
  }
}
