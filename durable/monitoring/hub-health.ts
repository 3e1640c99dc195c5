import { counted } from "#domain/counted";
import { isPrivateAddress } from "#domain/fields/ip-address";
import { nameInArea } from "#domain/records/name-in-area";
import { toIso } from "#domain/time/to-iso";
import { aboutHub, type Subject } from "#durable/reporting/alarms";
import {
  closeIncident,
  incident,
  notifyBack,
  notifyOnce,
  openIncident,
  updateIncident,
} from "#durable/reporting/incidents";
import { enqueue } from "#durable/state/outbox";
import { plan, plannedIds, settingsOf } from "#durable/state/plan";
import type { HubRow } from "#durable/state/plan-rows";
import { enqueuePoll, NO_HUB } from "#durable/commands/polls";
import { checkAgent, isJustBack, noteAgentAnswer, tellHubDown } from "./agent-health";
import { asksWhetherCloudIsBack, endTroubleOfUnneededCloud, isCloudWithoutHubs } from "./cloud-health";
import { forgetTrouble, isAlive } from "./circuit-breaker";
import { accessOf, noteReturn, trialOf } from "./returns";
import type { ProviderResult } from "#durable/providers/provider";
import { forgetSessions } from "#durable/providers/session-store";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { meta, nextSeq, setMeta } from "#durable/state/meta";
import type { EngineContext } from "#durable/state/context";
import { dropTimer, putTimer, putTimerNoLater, timerKeys } from "#durable/state/timers";

/** A hub's turn, and its agent's: asks for a ping, and for the next turn. A city that has none has a turn for its cloud. */
export function checkHub(context: EngineContext, hub_id: string): void {
  const hub = plan.hub(context.sql, hub_id);
  if (!hub && hub_id !== NO_HUB) return;
  if (hub && hub.agent_id !== null) checkAgent(context, hub.agent_id);
  // What was under way when the city went another way may have failed since, and what was owed may be done.
  endTroubleOfUnneededCloud(context);
  if (!hub && !isCloudWithoutHubs(context)) return;
  if (hub) enqueuePoll(context, "ping", hub_id);
  if (asksWhetherCloudIsBack(context, hub_id)) enqueuePoll(context, "cloud", hub_id);
  putTimer(context.sql, "hub_check", hub_id, context.now() + settingsOf(context.sql).HUB_CHECK_INTERVAL_SEC * 1000);
}

/** Gives every hub of the plan a turn within the interval, spread out by its id, so that they are not all asked at once. */
export function spreadHubChecks(context: EngineContext): void {
  const interval_ms = settingsOf(context.sql).HUB_CHECK_INTERVAL_SEC * 1000;
  const changed = meta(context.sql, "hub_interval") !== String(interval_ms);
  setMeta(context.sql, "hub_interval", String(interval_ms));
  const known = new Set(timerKeys(context.sql, "hub_check"));
  for (const id of isCloudWithoutHubs(context) ? [NO_HUB] : plannedIds(context.sql, "hub")) {
    if (known.has(id) && !changed) continue;
    putTimer(context.sql, "hub_check", id, context.now() + 1_000 + spreadOf(id) * Math.min(interval_ms, 60_000));
  }
}

/** A hub that is gone has no turn, no trouble, and nothing left that opens its lamps. */
export function forgetHub(context: EngineContext, id: string): void {
  dropTimer(context.sql, "hub_check", id);
  for (const name of [`hub:${id}`, accessOf(id), trialOf(id), lastToldOf(id)]) closeIncident(context, name);
  forgetTrouble(context, `hub:${id}`);
  forgetSessions(context.sql, `hub:${id}`);
  context.sql.exec("DELETE FROM polls WHERE kind = 'ping' AND id = ?", id);
}

/** Between 0 and 1, the same for the same id. */
function spreadOf(id: string): number {
  let hash = 0;
  for (const char of id) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 65_521;
  return hash / 65_521;
}

/** Whether a call shows that the hub cannot be used until somebody does something: it refuses us, or is not set up. */
export function needsAttention({ failures = [] }: ProviderResult): boolean {
  return failures.some(({ where, reason }) => where === "hub" && reason === "refused");
}

/**
 * Takes in what a call says about its hub: its status for the people, an alert once it was offline for
 * HUB_OFFLINE_ALERT_MIN, or at once where it does not let us in, another when it is back, and another evaluation of its devices
 * when it returns. `isPing`: the hub was asked for itself; `isTest`: by a person.
 */
export function noteHubHealth(
  context: EngineContext,
  hub_id: string,
  answer: ProviderResult,
  { isBack, isPing, isTest }: { isBack: boolean; isPing: boolean; isTest: boolean },
): void {
  const hub = plan.hub(context.sql, hub_id);
  if (!hub) return;
  if (hub.agent_id !== null) noteAgentAnswer(context, hub.agent_id, answer);
  if (needsAttention(answer)) return noteAttention(context, hub, answer, isPing);
  const alive = isAlive(answer);
  if (alive === true) return noteOnline(context, hub, answer, { isBack, isTest });
  if (alive === false) return noteOffline(context, hub);
}

/** A hub of which nothing was known may be there for the first time. */
const NEW_MS = 600_000;

function noteOnline(
  context: EngineContext,
  hub: HubRow,
  answer: ProviderResult,
  { isBack, isTest }: { isBack: boolean; isTest: boolean },
): void {
  const { id, planned_at, agent_id } = hub;
  if (isOnTrial(context, id)) {
    // Whoever has mended it, and asks whether it is well, is not to wait for its next turn.
    if (isTest) putTimerNoLater(context.sql, "hub_check", id, incident(context, accessOf(id))?.next_at ?? 0);
    return;
  }
  const over = [`hub:${id}`, accessOf(id)].flatMap((of) => closeIncident(context, of) ?? []);
  const isNew = planned_at > context.now() - NEW_MS || isJustBack(context, agent_id);
  enqueue(context, "hub_health", id, {
    hub_id: id,
    isNews: over.length > 0 || isBack || isNew,
    status: "online",
    last_seen: toIso(context.now()),
    rtt_ms: answer.ok ? answer.rtt_ms : null,
    seq: nextSeq(context),
  });
  if (over.length > 0) notifyBack(context, over, "hub_back", `${inMessage(aboutHub(context, hub))} is back.`);
  if (over.length > 0)
    for (const device_id of plan.deviceIdsOfHub(context.sql, id)) reconcileDevice(context, device_id, "hub_back");
}

/**
 * Whether a hub that answers may still refuse us its lamps, since it did so when it last had to do with one: its list may be
 * open to us all the same. They are made good, and it is back once it has answered for a while and refused none.
 */
function isOnTrial(context: EngineContext, id: string): boolean {
  const open = incident(context, accessOf(id));
  if (open === null || (open.tries === 0 && context.now() >= open.next_at)) return false;
  if (open.tries > 0) noteReturn(context, id, { isBack: true, isSwitched: false });
  return true;
}

function noteOffline(context: EngineContext, hub: HubRow): void {
  const { id } = hub;
  const isNew = openIncident(context, `hub:${id}`);
  tellHubDown(context, id, "offline", isNew);
  // What its lights should be cannot be done now: that is what is wrong with them.
  if (isNew) for (const device_id of plan.deviceIdsOfHub(context.sql, id)) reconcileDevice(context, device_id);
  const open = incident(context, `hub:${id}`);
  const offline_ms = open ? context.now() - open.since : 0;
  const alert_min = settingsOf(context.sql).HUB_OFFLINE_ALERT_MIN;
  if (offline_ms < alert_min * 60_000) return;
  if (open?.alarm === null) {
    if (wasJustTold(context, id, offline_ms)) return;
    noteTold(context, id);
  }
  const howLong = counted(Math.round(offline_ms / 60_000), "minute");
  const about = aboutHub(context, hub);
  const alarm = { what: "Away", why: "the hub does not answer", about };
  notifyOnce(context, `hub:${id}`, "hub_offline", `${inMessage(about)} has been offline for ${howLong}.`, alarm);
}

/** A hub that comes and goes is away every few minutes: nobody wants a message for each time. */
const TOLD_AGAIN_MS = 1_800_000;
/** Unless it stays away for so long. */
const LASTS_MS = 900_000;

/** The name of the incident, of which nobody is told, that says since when people know that the hub was away. */
function lastToldOf(hub_id: string): string {
  return `hub_told:${hub_id}`;
}

/** Whether people were told a short while ago that it was away, and it is not away for long by now. */
function wasJustTold(context: EngineContext, hub_id: string, offline_ms: number): boolean {
  const last = incident(context, lastToldOf(hub_id));
  return last !== null && context.now() - last.since < TOLD_AGAIN_MS && offline_ms < LASTS_MS;
}

function noteTold(context: EngineContext, hub_id: string): void {
  closeIncident(context, lastToldOf(hub_id));
  openIncident(context, lastToldOf(hub_id));
}

/** Whether nobody will ever reach it from where we stand. */
function needsAgent({ direct_hubs }: EngineContext, { agent_id, ip_address }: HubRow): boolean {
  return agent_id === null && !direct_hubs && isPrivateAddress(ip_address ?? "");
}

/** Why its agent did not ask the hub at all, in words: the agent's own file, or its disk, may be what is to be mended. */
function saidByAgent({ agent_id }: HubRow, answer: ProviderResult): string | null {
  if (agent_id === null || answer.ok || answer.provider !== "local" || answer.http_status !== null) return null;
  return answer.detail === "" ? null : `its agent says: ${answer.detail}`;
}

/** What stops it is its setup, which somebody has to mend. */
function noteAttention(context: EngineContext, hub: HubRow, answer: ProviderResult, isPing: boolean): void {
  const { id } = hub;
  const isUnknownToCloud = !answer.ok && answer.provider === "cloud" && answer.failures.length === 1;
  // It is there, and its lights are no longer wrong because it is away.
  if (!isUnknownToCloud && closeIncident(context, `hub:${id}`))
    for (const device_id of plan.deviceIdsOfHub(context.sql, id)) reconcileDevice(context, device_id);
  const isNews = openIncident(context, accessOf(id));
  if (!isPing) updateIncident(context, accessOf(id), { tries: 1 });
  tellHubDown(context, id, "needs attention", isNews);
  // That costs its sign of life, but no light; of one that was away nobody knows whether it is back.
  if (isUnknownToCloud) return;
  const advice = needsAgent(context, hub)
    ? "it is on a private network, assign it to an agent"
    : (saidByAgent(hub, answer) ?? "check its IP address and its local credentials");
  const about = aboutHub(context, hub);
  const alarm = { what: "Access refused", why: advice, about };
  notifyOnce(context, accessOf(id), "hub_refused", `${inMessage(about)} needs attention: ${advice}.`, alarm);
}

function inMessage({ hub_name, area_name }: Subject): string {
  return `Hub ${nameInArea({ name: hub_name ?? "", area_name })}`;
}
