import { hurryOff } from "#durable/commands/command";
import { hurryPendingOffs, pendingOffs } from "#durable/commands/command-table";
import { NO_HUB } from "#durable/commands/polls";
import { sidesOf } from "#durable/providers/hybrid";
import type { Address, ProviderResult } from "#durable/providers/provider";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { WHOLE_CITY } from "#durable/reporting/alarms";
import {
  closeIncident,
  incident,
  openIncident,
  openIncidents,
  notifyBack,
  notifyOnce,
  updateIncident,
} from "#durable/reporting/incidents";
import { readable } from "#durable/state/body";
import { deviceAddress } from "#durable/state/addresses";
import { plan, plannedIds, settingsOf } from "#durable/state/plan";
import type { EngineContext } from "#durable/state/context";
import { THROTTLED } from "./throttling";
import { LOOK_EVERY_MS, MOST_APART_MS, TRIAL_MS } from "./returns";
import { isCloudAlive, noteCloudAnswer, type Asked } from "./circuit-breaker";

const SILENT = "cloud:silent";
const REFUSED = "cloud:refused";
/** A cloud that answers now and fails again a minute later is not back: nobody wants a message for each of these. */
const QUIET_MS = 180_000;

/**
 * Takes in what a call says about the vendor's cloud. While the cloud is silent, or does not accept our account, there is
 * one incident of its own, and neither the hubs nor the lights behind it are blamed. When it answers again, the lights that
 * failed meanwhile are made good.
 */
export function noteCloud(context: EngineContext, asked: Asked & { isSwitch: boolean }): void {
  const isBack = noteCloudAnswer(context, asked);
  const { answer } = asked;
  const alive = isCloudAlive(answer);
  if (alive === true) return recover(context, { isBack, isProof: asked.isSwitch });
  if (alive === false) return noteSilence(context);
  if (refusesUs(answer)) noteRefusal(context);
}

/** Lights could not be switched, and the cloud is why: whoever is responsible is told, once. */
export function notifyOfCloud(context: EngineContext): void {
  const message = "The YoLink cloud does not answer: the lights that it switches are late.";
  const why = "the YoLink cloud does not answer";
  notifyOnce(context, SILENT, "cloud_offline", message, { what: "Silent", why, about: WHOLE_CITY });
}

function noteSilence(context: EngineContext): void {
  fail(context, SILENT);
  const open = incident(context, SILENT);
  const alert_ms = settingsOf(context.sql).HUB_OFFLINE_ALERT_MIN * 60_000;
  if (open && context.now() - open.since >= alert_ms) notifyOfCloud(context);
}

function noteRefusal(context: EngineContext): void {
  fail(context, REFUSED);
  const advice = "check the UAC key and the cloud base URL in Settings";
  const message = `The YoLink cloud does not accept our account: ${advice}.`;
  notifyOnce(context, REFUSED, "cloud_refused", message, { what: "Account refused", why: advice, about: WHOLE_CITY });
}

/** A hybrid city may do without an account: then a hub that failed is not followed by trouble of the cloud. */
function refusesUs({ failures = [], http_status }: ProviderResult): boolean {
  const isRefused = failures.some(({ where, reason }) => where === "cloud" && reason === "refused");
  return isRefused && (http_status !== null || failures.length === 1);
}

/** Opens the incident, or keeps it open for another while; `tries` says that it has failed since the last answer. */
function fail(context: EngineContext, name: string): void {
  openIncident(context, name);
  updateIncident(context, name, { tries: 1, next_at: context.now() + QUIET_MS });
}

/**
 * The lights are made good at the first answer; people are told, once for all of it, when it has been quiet for a while.
 * `isProof`: it took a switch, be the lamp itself that did not do it.
 */
function recover(context: EngineContext, { isBack, isProof }: { isBack: boolean; isProof: boolean }): void {
  const open = [SILENT, REFUSED].flatMap((name) => incident(context, name) ?? []);
  const failing = open.filter(({ tries }) => tries > 0);
  const last = lastLook(context);
  if (isBack || failing.length > 0 || (isProof && !last.isWhole)) {
    const since = Math.min(...open.map((one) => one.since));
    if (!isLookDue(context, last, since, isProof)) return;
    makeGood(context, last.at < since || isProof);
  }
  // It may answer for its hubs and fail with each light: those that are made good now will tell.
  for (const { incident: name, next_at } of failing)
    updateIncident(context, name, { tries: 0, next_at: Math.max(next_at, context.now() + TRIAL_MS) });
  if (failing.length > 0 || open.some(({ next_at }) => context.now() < next_at)) return;
  const over = open.flatMap(({ incident: name }) => closeIncident(context, name) ?? []);
  // The one that was tried had nothing to be switched, and so told nothing.
  if (over.length > 0 && !lastLook(context).isWhole) makeGood(context, true);
  if (over.length > 0) closeIncident(context, LOOKED);
  notifyBack(context, over, "cloud_back", "The YoLink cloud is back.");
}

/** When the failed lights were last tried again (epoch ms), and whether all of them were. */
type Look = { at: number; isWhole: boolean };

/** The incident, of which nobody is told, that remembers it: since when, and by `tries` that it was one light alone. */
const LOOKED = "cloud:looked";

function lastLook(context: EngineContext): Look {
  const { since = 0, tries = 0 } = incident(context, LOOKED) ?? {};
  return { at: since, isWhole: tries === 0 };
}

/**
 * Whether failed lights are to be tried again: at the first answer since it fails, and when a light that was tried alone was
 * not failed by it. A cloud that answers readings and fails each switch is tried ever later, or each answer would be followed by
 * another try, until the account's calls are used up.
 */
function isLookDue({ now }: EngineContext, { at, isWhole }: Look, since: number, isProof: boolean): boolean {
  if (at < since || (isProof && !isWhole)) return true;
  const wait_ms = isProof ? LOOK_EVERY_MS : Math.min(Math.max(LOOK_EVERY_MS, at - since), MOST_APART_MS);
  return Math.abs(now() - at) >= wait_ms;
}

/** All of them, or one that goes by the cloud, each time another, to find out. */
function makeGood(context: EngineContext, isWhole: boolean): void {
  openIncident(context, LOOKED);
  updateIncident(context, LOOKED, { since: context.now(), tries: isWhole ? 0 : 1 });
  const failed = openIncidents(context, "device");
  const first = Math.floor(context.now() / LOOK_EVERY_MS) % failed.length;
  const one = [...failed.slice(first), ...failed.slice(0, first)].find((id) => isSwitchedByCloud(context, id));
  if (isWhole || one === undefined) hurryPendingOffs(context, null);
  else hurryOff(context, one);
  for (const id of isWhole || one === undefined ? failed : [one]) reconcileDevice(context, id, "hub_back");
}

/**
 * A city that goes another way by now never hears from the cloud again: its trouble, and that of the account there, is
 * nobody's, unless an OFF is still owed to a lamp that only the cloud reaches. Must run inside a transaction.
 */
export function endTroubleOfUnneededCloud(context: EngineContext): void {
  const open = [SILENT, REFUSED, THROTTLED].filter((name) => incident(context, name) !== null);
  if (open.length > 0 && !isNeeded(context, goesByCloud))
    for (const name of [...open, LOOKED]) closeIncident(context, name);
}

/**
 * Whether a hub's turn is to ask whether the cloud is back, or has calls left: where all hubs answer by themselves nobody else
 * does. Only one hub asks, since each call counts for the account's limit: the first that goes both ways; where none goes by the
 * cloud, but a light without a hub does, the first of all, or the turn of a city without hubs.
 */
export function asksWhetherCloudIsBack(context: EngineContext, hub_id: string): boolean {
  if ([SILENT, REFUSED, THROTTLED].every((name) => incident(context, name) === null)) return false;
  const hubs = plannedIds(context.sql, "hub");
  const isAnyByCloud = hubs.some(hubThat(context, goesByCloud));
  return (isAnyByCloud ? hubs.find(hubThat(context, goesBothWays)) : (hubs[0] ?? NO_HUB)) === hub_id;
}

/** Whether the city goes by the cloud and has no hub at all. */
export function isCloudWithoutHubs(context: EngineContext): boolean {
  return plannedIds(context.sql, "hub").length === 0 && isNeeded(context, goesByCloud);
}

/**
 * Takes in what the cloud said when it was asked whether it is back. Without an account nobody will be: its trouble is over,
 * unless there is a lamp that only the cloud reaches. Must run inside a transaction.
 */
export function noteAskedCloud(context: EngineContext, answer: ProviderResult): void {
  if (knowsNoSuchHub(answer)) return recover(context, { isBack: false, isProof: false });
  if (!lacksAccount(answer) || isNeeded(context, goesByCloudAlone))
    return noteCloud(context, { lamp: null, answer, isSwitch: false });
  for (const name of [SILENT, REFUSED, LOOKED]) closeIncident(context, name);
}

/** It listed its devices, and our hub is under none of their names and addresses. */
function knowsNoSuchHub({ ok, failures = [] }: ProviderResult): boolean {
  return !ok && failures.length > 0 && failures.every(({ where, reason }) => where === "hub" && reason === "refused");
}

/** Nobody was asked, since there is no account that could be. */
function lacksAccount({ failures = [], http_status }: ProviderResult): boolean {
  return http_status === null && failures.some(({ where, reason }) => where === "cloud" && reason === "refused");
}

type Way = Pick<Address, "mode" | "hub">;

/** Whether there is a lamp, or one is still owed an OFF, that `goes` by the cloud. */
function isNeeded(context: EngineContext, goes: (way: Way) => boolean): boolean {
  const { sql } = context;
  const { PROVIDER_MODE: mode } = settingsOf(sql);
  if (mode === "cloud" || pendingOffs(sql).some(({ address }) => goes(address))) return true;
  // Most hubs of a hybrid city go by the cloud: the first of them ends the search.
  if (plannedIds(sql, "hub").some(hubThat(context, goes))) return true;
  return mode === "hybrid" && plan.isAnyDeviceWithoutHub(sql);
}

/** Says of a hub's id whether the hub `goes` so; one that cannot be read does not. */
function hubThat({ sql }: EngineContext, goes: (way: Way) => boolean): (id: string) => boolean {
  const { PROVIDER_MODE: mode } = settingsOf(sql);
  return (id) => {
    const hub = plan.readableHub(sql, id);
    return hub !== null && goes({ mode, hub });
  };
}

function isSwitchedByCloud({ sql }: EngineContext, device_id: string): boolean {
  const address = readable(() => deviceAddress(sql, device_id));
  return address !== null && goesByCloud(address);
}

function goesByCloud({ mode, hub }: Way): boolean {
  return mode !== "mock" && sidesOf(mode, hub).includes("cloud");
}

function goesByCloudAlone({ mode, hub }: Way): boolean {
  return mode !== "mock" && sidesOf(mode, hub).every((side) => side === "cloud");
}

function goesBothWays({ mode, hub }: Way): boolean {
  return sidesOf(mode, hub).length === 2;
}
