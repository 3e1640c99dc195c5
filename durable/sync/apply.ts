import { handOverPendingOffs } from "#durable/commands/hand-over";
import { CLAIMS_KEPT_MS } from "#durable/reconcile/windows";
import { guardrailsOf, isServed, plan, settingsOf } from "#durable/state/plan";
import { forgetLimits } from "#durable/state/limits";
import { notePoliciesGone, ORGANIZATION_LIMITS, setOrganizationSince } from "#durable/state/limits-since";
import { dropPlan, putPlan, putSettings } from "#durable/state/plan-writes";
import { PLAN_KINDS, type PlanKind } from "#durable/state/plan-rows";
import { noteShape } from "#durable/state/plan-shape";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { retellLights } from "#durable/reconcile/retell";
import { meta, setMeta } from "#durable/state/meta";
import { transact, type EngineContext } from "#durable/state/context";
import { saveMemory, memoryOf } from "#durable/state/device-memory";
import { putTimerNoLater } from "#durable/state/timers";
import { armWatchdog } from "#durable/monitoring/watchdog";
import { forgetAgent, retellAgents } from "#durable/monitoring/agent-health";
import { endTroubleOfUnneededCloud } from "#durable/monitoring/cloud-health";
import { forgetHub, spreadHubChecks } from "#durable/monitoring/hub-health";
import { reviseDigests } from "#durable/reporting/digest";
import { RESTORED } from "#durable/requests/restore";
import { retellAlarms } from "#durable/reporting/incidents";
import { forgetFailing } from "#durable/reporting/send-webhooks";
import type { Pulled } from "./pull";
import { routesOf, settleOldRoute } from "./reroute";
import { routedDevices, touchedDevices } from "./touched";
import { rulesBefore, undatedLimits } from "./undated";

/** A city of ten thousand lights under new rules would hold a person up for seconds: the others have a timer each. */
const RECONCILED_AT_ONCE = 500;
/** The pages of a large city come within seconds; a light that waits for the last of them is looked at by then at the latest. */
const PAGES_WITHIN_MS = 60_000;

/**
 * Takes in what was pulled; with the last of it, looks at every light that it concerns (`isAll`: at every one). Until then only
 * those lights are looked at that are reached in another way now.
 */
export function apply(
  context: EngineContext,
  pulled: Pulled,
  { isLast, isAll = pulled.changed === null }: { isLast: boolean; isAll?: boolean },
): void {
  const { sql } = context;
  const isRestored = meta(sql, "epoch") !== pulled.epoch;
  const isKnown = meta(sql, "version") !== null;
  // One that is pulled once more, by another release, has no other windows.
  const isSame = meta(sql, "version") === String(pulled.version);
  const pulled_at = isRestored || isSame ? null : meta(sql, "pulled_at");
  const concerned = isAll ? { changed: null } : pulled;
  const touched = isLast ? touchedDevices(sql, concerned) : new Set<string>();
  const before = routesOf(context, routedDevices(sql, pulled));
  const rules = rulesBefore(sql, pulled, context.now());

  putRows(context, pulled, isRestored);
  if (isLast) {
    setMeta(sql, "version", String(pulled.version));
    setMeta(sql, "epoch", pulled.epoch);
    noteShape(sql, pulled.version);
    setMeta(sql, "pulled_at", String(context.now()));
    if (isRestored) retellAlarms(context);
    if (isRestored) retellAgents(context);
    if (isRestored) retellLights(context, { isKnown, isLogOld: !pulled.epoch.startsWith(RESTORED) });
    armWatchdog(context);
    for (const id of touchedDevices(sql, concerned)) touched.add(id);
    for (const id of pulled.gone.device) touched.delete(id);
    if (pulled_at !== null && isReplanned(concerned)) rewindEvaluations(context, touched, Number(pulled_at));
  }
  noteFreed(context, undatedLimits(sql, rules));
  const rerouted = new Set(
    litFirst(context, new Set(before.keys())).filter((id) => {
      const was = before.get(id);
      return was !== undefined && settleOldRoute(context, id, was);
    }),
  );
  const handed = before.size > 0 ? handOverPendingOffs(context) : [];
  if (isLast) {
    // By what old lamps are owed by now: the cloud may be needed for nothing else.
    spreadHubChecks(context);
    endTroubleOfUnneededCloud(context);
  }
  // Their bookings may be on a later page; if D1 lets none come, nobody else would look at them.
  if (!isLast) for (const id of handed) putTimerNoLater(sql, "recheck", id, context.now() + PAGES_WITHIN_MS);
  const ids = isLast ? new Set([...touched, ...before.keys(), ...handed]) : rerouted;
  for (const [n, id] of litFirst(context, ids).entries()) {
    const isRerouted = rerouted.has(id);
    if (isRerouted || n < RECONCILED_AT_ONCE) reconcileDevice(context, id, isRerouted ? "address" : null);
    else reconcileLater(context, id);
  }
}

/** An organization that is switched off, or on again, by the plan that is known. */
export function noteServed(context: EngineContext, active: boolean): void {
  if (isServed(context.sql) === active) return;
  transact(context, () => {
    setServed(context, active);
    reconcileAll(context);
  });
}

/**
 * Whether the organization is served concerns every light that it has; answers whether it is so only now. It is off at once,
 * and on with the plan as it is by then: by an older one what was canceled meanwhile would be lit.
 */
export function setServed({ sql, now }: EngineContext, active: boolean): boolean {
  if (isServed(sql) === active) return false;
  setMeta(sql, "active", String(active));
  setMeta(sql, "active_since", String(now()));
  setOrganizationSince(sql, "all", now());
  forgetLimits(sql);
  return true;
}

/** Looks at every light: some at once, lit ones first, the others by a timer each. */
export function reconcileAll(context: EngineContext): void {
  for (const [n, id] of litFirst(context, new Set(plan.deviceIds(context.sql))).entries()) {
    if (n < RECONCILED_AT_ONCE) reconcileDevice(context, id);
    else reconcileLater(context, id);
  }
}

/** Looks at a light by and by; what is to be sent to it until then is looked at as it leaves. */
export function reconcileLater(context: EngineContext, device_id: string): void {
  context.put_off_at = context.now();
  putTimerNoLater(context.sql, "recheck", device_id, context.now());
}

/** Whether other windows may hold a light than before; settings, hubs and agents have none. */
function isReplanned({ changed }: Pick<Pulled, "changed">): boolean {
  return changed === null || changed.some(({ kind }) => kind !== "settings" && kind !== "hub" && kind !== "agent");
}

/**
 * An evaluation that did not know the plan has seen nothing of what was planned, nor had a light that nobody knew an evaluation; but of
 * older windows nobody knows what was. One that is gone has none to make up for.
 */
function rewindEvaluations(context: EngineContext, device_ids: Set<string>, pulled_at: number): void {
  const since = Math.max(pulled_at, context.now() - CLAIMS_KEPT_MS);
  for (const id of device_ids) {
    const memory = memoryOf(context.sql, id);
    if ((memory.reconciled_at ?? Infinity) > since) saveMemory(context.sql, { ...memory, reconciled_at: since });
  }
}

/** Policies or permits have let go of devices: what they said of them until now is not known any more. */
function noteFreed({ sql, now }: EngineContext, names: string[]): void {
  if (names.length === 0) return;
  notePoliciesGone(sql, names, { at: now(), oldest: now() - CLAIMS_KEPT_MS });
  forgetLimits(sql);
}

/** New rules concern a lit light first: it may have to go out. */
function litFirst({ sql }: EngineContext, ids: Set<string>): string[] {
  sql.kept?.write();
  const lit = sql
    .exec<{ device_id: string }>("SELECT device_id FROM device_memory WHERE lit_since IS NOT NULL")
    .toArray();
  return [...new Set([...lit.map(({ device_id }) => device_id).filter((id) => ids.has(id)), ...ids])];
}

/** Rows come in before others go: what holds a light by the old and the new plan never lets go of it. */
function putRows(context: EngineContext, { settings, rows, gone }: Pulled, isRestored: boolean): void {
  const { sql } = context;
  const now = context.now();
  // A restore brings old rows back now, whatever they say of their age.
  const changedAt = (updated_at: string) => (isRestored ? now : Math.min(Date.parse(updated_at), now));
  if (settings) putRules(context, settings, changedAt);
  // What was planned before a restore nobody knows.
  if (settings && isRestored) setOrganizationSince(sql, "all", now);
  const put = <K extends PlanKind>(kind: K) =>
    putPlan(sql, kind, rows[kind], {
      now,
      changedAt: (row) => ("updated_at" in row ? changedAt(row.updated_at) : now),
    });
  for (const kind of PLAN_KINDS) put(kind);
  for (const kind of PLAN_KINDS) dropPlan(sql, kind, gone[kind]);
  for (const id of gone.hub) forgetHub(context, id);
  for (const id of gone.agent) forgetAgent(context, id);
}

function putRules(
  context: EngineContext,
  stored: NonNullable<Pulled["settings"]>,
  changedAt: (updated_at: string) => number,
): void {
  const before = guardrailsOf(settingsOf(context.sql));
  const heard = heardOf(context);
  putSettings(context.sql, stored);
  forgetFailing(context);
  if (heardOf(context) !== heard) reviseDigests(context);
  const after = guardrailsOf(settingsOf(context.sql));
  const since = (name: string) => {
    const row = stored.find(({ key }) => key === name);
    return row ? changedAt(row.updated_at) : context.now();
  };
  if (after.zone !== before.zone) setOrganizationSince(context.sql, "all", since("APP_TIMEZONE"));
  for (const limit of ORGANIZATION_LIMITS) {
    if (after[limit] !== before[limit]) setOrganizationSince(context.sql, limit, since(limit));
  }
}

/** By what quiet hours are measured. */
function heardOf({ sql }: EngineContext): string {
  const { RECIPIENTS, APP_TIMEZONE } = settingsOf(sql);
  return JSON.stringify([RECIPIENTS, APP_TIMEZONE]);
}
