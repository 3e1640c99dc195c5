import { eq } from "drizzle-orm";
import { organizations } from "#db/schema";
import { plan } from "#durable/state/plan";
import { PLAN_KINDS } from "#durable/state/plan-rows";
import { hasOurShape } from "#durable/state/plan-shape";
import { noteAgents, tellAgents } from "#durable/agents/planned";
import { noteReplanned } from "#durable/live/note";
import { takeUpBackup } from "#durable/requests/restore";
import { readable } from "#durable/state/body";
import { meta, orgId } from "#durable/state/meta";
import { breath, transact, type AwaitedLights, type EngineContext } from "#durable/state/context";
import { D1_DEADLINE_MS, withDeadline } from "#durable/state/deadline";
import { runOneMore } from "#durable/state/one-more";
import { MOST_CHANGES, noneGone, readChanges, readLights, readPage, type Page, type Pulled } from "./pull";
import { PAGE, type RowsByKind } from "./pull-rows";
import { followClock } from "./clock-set-back";
import { apply, noteServed, reconcileAll, setServed } from "./apply";

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
  const { active } = organization;
  if (!active) noteServed(context, false);
  const known = Number(meta(context.sql, "version") ?? -1);
  const isSameEpoch = meta(context.sql, "epoch") === organization.epoch;
  const isWhole = isSameEpoch && hasOurShape(context.sql, known);
  if (isWhole && known === organization.version) return noteServed(context, active);
  if (!isSameEpoch) await takeUpBackup(context, org_id, organization.epoch);
  const behind = organization.version - known;
  const isInChanges = isWhole && behind > 0 && behind <= MOST_CHANGES;
  const pulled = isInChanges ? await readChanges(context, org_id, known) : null;
  const kinds = pulled?.changed?.map(({ kind }) => kind) ?? null;
  if (pulled) takeInLast(context, kinds, active, () => apply(context, pulled, { isLast: true }));
  else await pullEverything(context, org_id, active);
  noteReplanned(context, kinds);
}

/**
 * Page by page, each in a transaction of its own, so that people and lamps have their turn in between. The copy has its
 * new version only with the last page: where D1 fails before, the next pull begins again. What changes in D1 meanwhile
 * is newer than the first page's version, and comes in with the last.
 */
async function pullEverything(context: EngineContext, org_id: string, active: boolean): Promise<void> {
  try {
    await pullPages(context, org_id, active);
  } finally {
    context.paging.hasDevices = false;
  }
}

async function pullPages(context: EngineContext, org_id: string, active: boolean): Promise<void> {
  context.paging.hasDevices = false; // where it begins again, other lights may have come
  const first = await readPage(context, org_id, null);
  const gone = noneGone();
  const leaving: Leaving = new Map();
  for (let page = first; first !== null && page !== null; page = await readPage(context, org_id, page.next)) {
    if (page.epoch !== first.epoch) return pullPages(context, org_id, active);
    for (const kind of PLAN_KINDS) gone[kind].push(...page.gone[kind]);
    if (page.next === null) {
      const group = [...page.rows.group, ...withoutLeaving(context, leaving)];
      return takeInLastPage(context, org_id, active, first, { ...page, rows: { ...page.rows, group }, gone });
    }
    const rows = page.version === first.version ? page.rows : withoutStrangers(context, page.rows);
    takeInPart(context, { ...page, rows, version: first.version, gone: noneGone() }, leaving);
    if (page.next.device === null) noteDevices(context);
    await breath(context); // a database beside us answers at once, and no socket would be read until the last page
    if (!context.paging.hasDevices) await takeInAwaited(context, org_id, first, leaving);
  }
}

/** The lights (ids) that have left a group, by its id: each stays in it until the last page. */
type Leaving = Map<string, Set<string>>;

/** Of a light that went from one group to another the other may come pages later: without both, what holds it would let go of it. */
function withLeaving({ sql }: EngineContext, rows: RowsByKind, leaving: Leaving): RowsByKind {
  const group = rows.group.map((row) => {
    const there = new Set(row.members.map(({ device_id }) => device_id));
    const known = readable(() => plan.group(sql, row.id))?.members ?? [];
    const left = known.filter(({ device_id }) => !there.has(device_id));
    leaving.set(row.id, new Set(left.map(({ device_id }) => device_id)));
    return { ...row, members: [...row.members, ...left] };
  });
  return { ...rows, group };
}

function withoutLeaving({ sql }: EngineContext, leaving: Leaving): RowsByKind["group"] {
  return [...leaving].flatMap(([id, left]) => {
    const row = left.size > 0 ? readable(() => plan.group(sql, id)) : null;
    return row ? { ...row, members: row.members.filter(({ device_id }) => !left.has(device_id)) } : [];
  });
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
async function takeInLastPage(
  context: EngineContext,
  org_id: string,
  active: boolean,
  first: Page,
  page: Page,
): Promise<void> {
  const { version, epoch } = first;
  const isSame = page.version === version;
  const since = isSame ? null : await readChanges(context, org_id, version);
  if (since !== null && since.epoch !== epoch) return pullPages(context, org_id, active);
  takeInLast(context, null, active, () => {
    apply(context, { ...page, version }, { isLast: since === null });
    if (since !== null) apply(context, since, { isLast: true, isAll: true });
  });
  if (since === null && !isSame) return pull(context); // more than is read at once
}

/** Agents hear of it in the same turn: the lights behind a hub that is new to them may be called in the next. */
function takeInLast(context: EngineContext, kinds: string[] | null, active: boolean, take: () => void): void {
  transact(context, () => {
    const isOther = setServed(context, active);
    take();
    if (isOther) reconcileAll(context);
  });
  noteAgents(context, kinds);
}

function takeInPart(context: EngineContext, pulled: Pulled, leaving: Leaving): void {
  const rows = withLeaving(context, pulled.rows, leaving);
  transact(context, () => apply(context, { ...pulled, rows }, { isLast: false }));
  if (pulled.rows.hub.length > 0) tellAgents(context);
}

/** Lights that somebody waits for come in before their page: all that are before them take a city half a second. */
async function takeInAwaited(
  context: EngineContext,
  org_id: string,
  { epoch, version }: Page,
  leaving: Leaving,
): Promise<void> {
  let most = PAGE;
  const awaited = [...context.paging.waiting].filter(([, lights]) => lights !== "all" && (most -= lights.length) >= 0);
  const ids = awaited.flatMap(([, lights]) => lights);
  if (ids.length > 0) {
    const pulled = await readLights(context, org_id, ids);
    if (pulled?.epoch !== epoch) return; // so is the next page's, with which the pull begins again
    takeInPart(context, { ...pulled, version }, leaving);
  }
  for (const [go] of awaited) go();
}

function noteDevices({ paging }: EngineContext): void {
  paging.hasDevices = true;
  for (const go of paging.waiting.keys()) go();
}
