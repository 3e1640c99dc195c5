import { eq } from "drizzle-orm";
import { organizations } from "#db/schema";
import { CLAIMS_KEPT_MS } from "./reconcile/windows";
import { guardrailsOf, isServed, plan, settingsOf } from "./state/plan";
import { forgetLimits } from "./state/limits";
import { notePoliciesGone, ORGANIZATION_LIMITS, setOrganizationSince } from "./state/limits-since";
import { dropPlan, putPlan, putSettings } from "./state/plan-writes";
import { PLAN_KINDS, type PlanKind } from "./state/plan-rows";
import { hasOurShape, noteShape } from "./state/plan-shape";
import { noteAgents, tellAgents } from "./agents/planned";
import { noteReplanned } from "./live/note";
import { reconcileDevice } from "./reconcile/reconcile";
import { takeUpBackup } from "./requests/restore";
import { breath, meta, orgId, setMeta, transact, type AwaitedLights, type EngineContext } from "./state/context";
import { D1_DEADLINE_MS, withDeadline } from "./state/deadline";
import { runOneMore } from "./state/one-more";
import { saveMemory, memoryOf } from "./state/device-memory";
import { putTimerNoLater } from "./state/timers";
import { armWatchdog } from "./monitoring/watchdog";
import { forgetTrouble } from "./monitoring/circuit-breaker";
import { forgetAgent } from "./monitoring/agent-health";
import { endTroubleOfUnneededCloud } from "./monitoring/cloud-health";
import { spreadHubChecks } from "./monitoring/hub-health";
import { reviseDigests } from "./reporting/digest";
import { closeIncident, retellAlarms } from "./reporting/incidents";
import { forgetFailing } from "./reporting/send-webhooks";
import { MOST_CHANGES, noneGone, readChanges, readLights, readPage, type Page, type Pulled } from "./pull";
import { PAGE, type RowsByKind } from "./pull-rows";
import { followClock } from "./clock-set-back";
import { handOverPendingOffs, routesOf, settleOldRoute } from "./reroute";
import { routedDevices, touchedDevices } from "./touched";
import { rulesBefore, undatedDevices } from "./undated";

/** A city of ten thousand lights under new rules would hold a person up for seconds: the others have a timer each. */
const RECONCILED_AT_ONCE = 500;

/**
 * Brings the copy of the plan up to D1's, and reconciles whatever changed. A call is only a hint: an unequal version
 * means pull, another epoch (a restore) means pull everything. One pull runs at a time, and all who come meanwhile share
 * one more. Rejects where D1 does not answer within its deadline.
 */
export function sync(context: EngineContext): Promise<void> {
  followClock(context);
  return runOneMore(context.pulls, () => pull(context));
}

/**
 * As sync, but content once a pull in pages has the lights that one waits for: all, some by their ids, or none, where one
 * only tells of a change. Nobody waits for ten times as many schedules.
 */
export function syncLights(context: EngineContext, lights: AwaitedLights): Promise<void> {
  const { paging } = context;
  const pulled = sync(context);
  if (paging.hasDevices) return ignored(pulled);
  let callOff = (): void => {};
  const paged = new Promise<void>((done) => {
    paging.waiting.set(done, lights);
    callOff = () => paging.waiting.delete(done);
  });
  return Promise.race([pulled, paged]).finally(callOff);
}

/** The pull goes on, and whoever asks next hears of what went wrong. */
function ignored(pulled: Promise<void>): Promise<void> {
  pulled.catch(() => undefined);
  return Promise.resolve();
}

async function pull(context: EngineContext): Promise<void> {
  const org_id = orgId(context);
  const [organization] = await withDeadline(
    context,
    D1_DEADLINE_MS,
    context.db
      .select({ version: organizations.config_version, epoch: organizations.epoch, active: organizations.active })
      .from(organizations)
      .where(eq(organizations.id, org_id)),
  );
  if (!organization) return;
  noteServed(context, organization.active);
  const known = Number(meta(context.sql, "version") ?? -1);
  const isSameEpoch = meta(context.sql, "epoch") === organization.epoch;
  const isWhole = isSameEpoch && hasOurShape(context.sql, known);
  if (isWhole && known === organization.version) return;
  if (!isSameEpoch) await takeUpBackup(context, org_id, organization.epoch);
  const behind = organization.version - known;
  const isInChanges = isWhole && behind > 0 && behind <= MOST_CHANGES;
  const pulled = isInChanges ? await readChanges(context, org_id, known) : null;
  const kinds = pulled?.changed?.map(({ kind }) => kind) ?? null;
  if (pulled) takeInLast(context, kinds, () => apply(context, pulled, { isLast: true }));
  else await pullEverything(context, org_id);
  noteReplanned(context, kinds);
}

/**
 * Page by page, each in a transaction of its own, so that people and lamps have their turn in between. The copy has its
 * new version only with the last page: where D1 fails before, the next pull begins again. What changes in D1 meanwhile
 * is newer than the first page's version, and comes in with the last.
 */
async function pullEverything(context: EngineContext, org_id: string): Promise<void> {
  try {
    await pullPages(context, org_id);
  } finally {
    context.paging.hasDevices = false;
  }
}

async function pullPages(context: EngineContext, org_id: string): Promise<void> {
  const first = await readPage(context, org_id, null);
  const gone = noneGone();
  for (let page = first; first !== null && page !== null; page = await readPage(context, org_id, page.next)) {
    if (page.epoch !== first.epoch) return pullPages(context, org_id);
    for (const kind of PLAN_KINDS) gone[kind].push(...page.gone[kind]);
    if (page.next === null) return takeInLastPage(context, org_id, first, { ...page, gone });
    const rows = page.version === first.version ? page.rows : withoutStrangers(context, page.rows);
    takeInPart(context, { ...page, rows, version: first.version, gone: noneGone() });
    if (page.next.device === null) noteDevices(context);
    await breath(context); // a database beside us answers at once, and no socket would be read until the last page
    if (!context.paging.hasDevices) await takeInAwaited(context, org_id, first);
  }
}

/** A light of a hub or an area that is newer than the first page stays as it was, and comes with what has changed since. */
function withoutStrangers({ sql }: EngineContext, rows: RowsByKind): RowsByKind {
  const isKnown = ({ hub_id, area_id }: RowsByKind["device"][number]) =>
    plan.area(sql, area_id) !== null && (hub_id === null || plan.hub(sql, hub_id) !== null);
  return { ...rows, device: rows.device.filter(isKnown) };
}

/**
 * With the last page comes what has changed since the first, in one transaction: what one page knows already and another does
 * not yet would put out lights that the old and the new plan hold.
 */
async function takeInLastPage(context: EngineContext, org_id: string, first: Page, page: Page): Promise<void> {
  const { version, epoch } = first;
  const isSame = page.version === version;
  const since = isSame ? null : await readChanges(context, org_id, version);
  if (since !== null && since.epoch !== epoch) return pullPages(context, org_id);
  takeInLast(context, null, () => {
    apply(context, { ...page, version }, { isLast: since === null });
    if (since !== null) apply(context, since, { isLast: true, isAll: true });
  });
  if (since === null && !isSame) return pull(context); // more than is read at once
}

/** Agents hear of it in the same turn: the lights behind a hub that is new to them may be called in the next. */
function takeInLast(context: EngineContext, kinds: string[] | null, take: () => void): void {
  transact(context, take);
  noteAgents(context, kinds);
}

function takeInPart(context: EngineContext, pulled: Pulled): void {
  transact(context, () => apply(context, pulled, { isLast: false }));
  if (pulled.rows.hub.length > 0) tellAgents(context);
}

/** Lights that somebody waits for come in before their page: all that are before them take a city half a second. */
async function takeInAwaited(context: EngineContext, org_id: string, { epoch, version }: Page): Promise<void> {
  let most = PAGE;
  const awaited = [...context.paging.waiting].filter(([, lights]) => lights !== "all" && (most -= lights.length) >= 0);
  const ids = awaited.flatMap(([, lights]) => lights);
  if (ids.length > 0) {
    const pulled = await readLights(context, org_id, ids);
    if (pulled?.epoch !== epoch) return; // so is the next page's, with which the pull begins again
    takeInPart(context, { ...pulled, version });
  }
  for (const [go] of awaited) go();
}

function noteDevices({ paging }: EngineContext): void {
  paging.hasDevices = true;
  for (const go of paging.waiting.keys()) go();
}

/** An organization that is switched off, or on again, concerns every light that it has. */
function noteServed(context: EngineContext, active: boolean): void {
  if (isServed(context.sql) === active) return;
  transact(context, () => {
    setMeta(context.sql, "active", String(active));
    setMeta(context.sql, "active_since", String(context.now()));
    setOrganizationSince(context.sql, "all", context.now());
    forgetLimits(context.sql);
    reconcileAll(context, new Set(plan.deviceIds(context.sql)));
  });
}

function reconcileAll(context: EngineContext, device_ids: Set<string>): void {
  for (const [n, id] of litFirst(context, device_ids).entries()) {
    if (n < RECONCILED_AT_ONCE) reconcileDevice(context, id);
    else reconcileLater(context, id);
  }
}

function reconcileLater(context: EngineContext, device_id: string): void {
  context.put_off_at = context.now();
  putTimerNoLater(context.sql, "recheck", device_id, context.now());
}

/** What went wrong with a hub that is no more concerns nobody any more. */
function forgetHub(context: EngineContext, hub_id: string): void {
  for (const kind of ["hub", "hub_access"]) closeIncident(context, `${kind}:${hub_id}`);
  forgetTrouble(context, `hub:${hub_id}`);
  context.sql.exec("DELETE FROM polls WHERE kind = 'ping' AND id = ?", hub_id);
}

/**
 * Takes in what was pulled; with the last of it, looks at every light that it concerns (`isAll`: at every one). Until then only
 * those lights are looked at that are reached in another way now.
 */
function apply(
  context: EngineContext,
  pulled: Pulled,
  { isLast, isAll = pulled.changed === null }: { isLast: boolean; isAll?: boolean },
): void {
  const { sql } = context;
  const isRestored = meta(sql, "epoch") !== pulled.epoch;
  // One that is pulled once more, by another release, has no other windows.
  const isSame = meta(sql, "version") === String(pulled.version);
  const pulled_at = isRestored || isSame ? null : meta(sql, "pulled_at");
  const concerned = isAll ? { changed: null } : pulled;
  const touched = isLast ? touchedDevices(sql, concerned) : new Set<string>();
  const before = routesOf(context, routedDevices(sql, pulled));
  const rules = rulesBefore(sql, pulled);

  putRows(context, pulled, isRestored);
  if (isLast) {
    setMeta(sql, "version", String(pulled.version));
    setMeta(sql, "epoch", pulled.epoch);
    noteShape(sql, pulled.version);
    setMeta(sql, "pulled_at", String(context.now()));
    if (isRestored) retellAlarms(context);
    spreadHubChecks(context);
    endTroubleOfUnneededCloud(context);
    armWatchdog(context);
    for (const id of touchedDevices(sql, concerned)) touched.add(id);
    for (const { id } of pulled.rows.device) touched.add(id);
    if (pulled_at !== null && isReplanned(concerned)) rewindEvaluations(context, touched, Number(pulled_at));
    noteFreed(context, undatedDevices(sql, rules));
  }
  const rerouted = new Set(
    litFirst(context, new Set(before.keys())).filter((id) => {
      const was = before.get(id);
      return was !== undefined && settleOldRoute(context, id, was);
    }),
  );
  const handed = before.size > 0 ? handOverPendingOffs(context) : [];
  const ids = isLast ? new Set([...touched, ...before.keys(), ...handed]) : rerouted;
  for (const [n, id] of litFirst(context, ids).entries()) {
    const isRerouted = rerouted.has(id);
    if (isRerouted || n < RECONCILED_AT_ONCE) reconcileDevice(context, id, isRerouted ? "address" : null);
    else reconcileLater(context, id);
  }
}

/** Whether other windows may hold a light than before; settings, hubs and agents have none. */
function isReplanned({ changed }: Pick<Pulled, "changed">): boolean {
  return changed === null || changed.some(({ kind }) => kind !== "settings" && kind !== "hub" && kind !== "agent");
}

/**
 * An evaluation that did not know the plan has seen nothing of what was planned, nor had a light that nobody knew an evaluation; but of
 * older windows nobody knows what was. One that is gone is forgotten right after this.
 */
function rewindEvaluations(context: EngineContext, device_ids: Set<string>, pulled_at: number): void {
  const since = Math.max(pulled_at, context.now() - CLAIMS_KEPT_MS);
  for (const id of device_ids) {
    const memory = memoryOf(context.sql, id);
    if ((memory.reconciled_at ?? Infinity) > since) saveMemory(context.sql, { ...memory, reconciled_at: since });
  }
}

/** A policy has let go of devices: what it said of them until now is not known any more. */
function noteFreed({ sql, now }: EngineContext, device_ids: string[]): void {
  if (device_ids.length === 0) return;
  const ids = device_ids.map((id) => `device:${id}`);
  notePoliciesGone(sql, ids, { at: now(), oldest: now() - CLAIMS_KEPT_MS });
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
function putRows(context: EngineContext, { changed, settings, rows, gone }: Pulled, isRestored: boolean): void {
  const { sql } = context;
  const now = context.now();
  // A restore brings old rows back now, whatever they say of their age.
  const changedAt = (updated_at: string) => (isRestored ? now : Math.min(Date.parse(updated_at), now));
  if (settings) putRules(context, settings, changedAt);
  // What was planned before a restore nobody knows, nor, read as a whole, what lights a group had that is gone with its policy.
  const isGroupLost = changed === null && gone.group.some((id) => gone.policy.includes(`group:${id}`));
  if ((settings && isRestored) || isGroupLost) setOrganizationSince(sql, "all", now);
  if (gone.policy.length > 0) notePoliciesGone(sql, gone.policy, { at: now, oldest: now - CLAIMS_KEPT_MS });
  const put = <K extends PlanKind>(kind: K) =>
    putPlan(sql, kind, rows[kind], (row) => ("updated_at" in row ? changedAt(row.updated_at) : now));
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
