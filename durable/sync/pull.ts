import { and, eq, gt, inArray, sql as q } from "drizzle-orm";
import { changes } from "#db/schema";
import {
  byKind,
  headOf,
  lightsOf,
  PAGE,
  PAGE_MEANWHILE,
  PAGED,
  rowIn,
  rowsIn,
  rowsAfter,
  rowsOf,
  storedSettings,
  type Only,
  type Paged,
  type RowsByKind,
} from "./pull-rows";
import { isSomebodyHere } from "#durable/dispatch/pump";
import type { EngineContext } from "#durable/state/context";
import { D1_DEADLINE_MS, withDeadline } from "#durable/state/deadline";
import { plannedIds } from "#durable/state/plan";
import type { PlanKind } from "#durable/state/plan-rows";

/** More records than this have changed: everything is read in pages. Of the changed rows of a kind a page is read at most. */
export const MOST_CHANGES = PAGE;

/** A part of D1's configuration, read in one batch, so that rows, version and epoch belong together. */
export type Pulled = {
  version: number;
  epoch: string;
  /** Null where everything is read. */
  changed: { kind: string; record_id: string }[] | null;
  rows: RowsByKind;
  /** What the copy has and D1 no longer does. */
  gone: Record<PlanKind, string[]>;
  /** All of them; null where they were in an earlier page. */
  settings: { key: string; value: unknown; updated_at: string }[] | null;
};

/** After which id each kind goes on; null where all of it was read. */
type Cursors = Record<Paged, string | null>;
export type Page = Pulled & { next: Cursors | null };

/**
 * What has changed since the version `since` of the configuration. Null where D1 no longer knows, since retention prunes old changes, and where by now
 * more has changed than is read: what was left out would be taken for deleted.
 */
export async function readChanges(context: EngineContext, org_id: string, since: number): Promise<Pulled | null> {
  const { db } = context;
  const isNewer = and(eq(changes.org_id, org_id), gt(changes.version, since));
  const changedOnly: Only = (kind, id) =>
    inArray(
      q`${id}`,
      db
        .select({ id: changes.record_id })
        .from(changes)
        .where(and(isNewer, eq(changes.kind, kind))),
    );
  const [organization, oldest, changed, stored, ...found] = await withDeadline(
    context,
    D1_DEADLINE_MS,
    db.batch([
      headOf(db, org_id),
      db
        .select({ version: q<number | null>`min(${changes.version})` })
        .from(changes)
        .where(eq(changes.org_id, org_id)),
      db.selectDistinct({ kind: changes.kind, record_id: changes.record_id }).from(changes).where(isNewer),
      storedSettings(db, org_id),
      ...rowsOf(db, org_id, changedOnly, () => PAGE),
    ]),
  );
  if (!organization[0] || (oldest[0]?.version ?? Number.MAX_SAFE_INTEGER) > since + 1) return null;
  if (organization[0].version - since > MOST_CHANGES) return null;
  const rows = byKind(found);
  const ids = (kind: PlanKind) => changed.filter((c) => c.kind === kind).map((c) => c.record_id);
  return { ...organization[0], changed, rows, gone: goneOf(rows, ids), settings: stored };
}

/**
 * The next page of everything: the first has what a city has few of, and the beginning of the rest. A kind begins after
 * those that it names are complete: a device without its hub would look rerouted. Null where D1 has no such organization.
 */
export function readPage(context: EngineContext, org_id: string, cursors: Cursors | null): Promise<Page | null> {
  const front = PAGED.find((kind) => cursors !== null && cursors[kind] !== null);
  if (cursors === null || front === undefined) return readFirstPage(context, org_id);
  return readPageAfter(context, org_id, front, cursors);
}

async function readFirstPage(context: EngineContext, org_id: string): Promise<Page | null> {
  const { db } = context;
  const page = pageOf(context);
  const most = (kind: Paged) => rowsIn(page, kind);
  const [organization, settings, ...found] = await withDeadline(
    context,
    D1_DEADLINE_MS,
    db.batch([headOf(db, org_id), storedSettings(db, org_id), ...rowsOf(db, org_id, () => undefined, most)]),
  );
  if (!organization[0]) return null;
  const rows = byKind(found);
  const next: Cursors = { hub: "", group: "", device: "", schedule: "" };
  for (const kind of PAGED) {
    const isTurn = PAGED.slice(0, PAGED.indexOf(kind)).every((before) => next[before] === null);
    if (isTurn) next[kind] = lastOf(rows[kind], most(kind));
    else rows[kind] = [];
  }
  const known = (kind: PlanKind) => {
    if (!isPaged(kind)) return plannedIds(context.sql, kind);
    return next[kind] === "" ? [] : plannedIds(context.sql, kind, "", next[kind]);
  };
  return { ...organization[0], changed: null, rows, gone: goneOf(rows, known), settings, next: unlessDone(next) };
}

/** Of one kind alone: to ask for the others, too, would take as long as to read a hundred rows. */
async function readPageAfter<K extends Paged>(
  context: EngineContext,
  org_id: string,
  kind: K,
  cursors: Cursors,
): Promise<Page | null> {
  const { db } = context;
  const after = cursors[kind] ?? "";
  const most = rowsIn(pageOf(context), kind);
  const [organization, found] = await withDeadline(
    context,
    D1_DEADLINE_MS,
    db.batch([headOf(db, org_id), rowsAfter(db, org_id, kind, after, most)]),
  );
  if (!organization[0]) return null;
  const read = found.map(rowIn);
  const last = lastOf(read, most);
  const rows = { ...noRows(), [kind]: read };
  const next = { ...cursors, [kind]: last };
  const known = (of: PlanKind) => (of === kind ? plannedIds(context.sql, kind, after, last) : []);
  return { ...organization[0], changed: null, rows, gone: goneOf(rows, known), settings: null, next: unlessDone(next) };
}

/** Some lights with their hubs and groups, before it is their page's turn. Null where D1 has no such organization. */
export async function readLights(context: EngineContext, org_id: string, device_ids: string[]): Promise<Pulled | null> {
  const { db } = context;
  const [organization, hubs, groups, devices] = await withDeadline(
    context,
    D1_DEADLINE_MS,
    db.batch([headOf(db, org_id), ...lightsOf(db, org_id, device_ids)]),
  );
  if (!organization[0]) return null;
  const rows = { ...noRows(), hub: hubs.map(rowIn), group: groups.map(rowIn), device: devices.map(rowIn) };
  return { ...organization[0], changed: null, rows, gone: noneGone(), settings: null };
}

function unlessDone(cursors: Cursors): Cursors | null {
  return Object.values(cursors).every((cursor) => cursor === null) ? null : cursors;
}

/** Nothing is gone; a list for each kind. */
export function noneGone(): Record<PlanKind, string[]> {
  return goneOf(noRows(), () => []);
}

function goneOf(rows: RowsByKind, known: (kind: PlanKind) => string[]): Record<PlanKind, string[]> {
  const gone = (kind: PlanKind) => {
    const there = new Set<string>(rows[kind].map(({ id }) => id));
    return known(kind).filter((id) => !there.has(id));
  };
  return {
    area: gone("area"),
    agent: gone("agent"),
    hub: gone("hub"),
    group: gone("group"),
    calendar: gone("calendar"),
    policy: gone("policy"),
    permit: gone("permit"),
    closure: gone("closure"),
    device: gone("device"),
    schedule: gone("schedule"),
  };
}

function noRows(): RowsByKind {
  return {
    area: [],
    agent: [],
    hub: [],
    group: [],
    calendar: [],
    policy: [],
    permit: [],
    closure: [],
    device: [],
    schedule: [],
  };
}

function isPaged(kind: PlanKind): kind is Paged {
  return PAGED.some((paged) => paged === kind);
}

function pageOf(context: EngineContext): number {
  return isSomebodyHere(context) ? PAGE_MEANWHILE : PAGE;
}

/** The last id of a full page; null where there is nothing after it. */
function lastOf(rows: { id: string }[], most: number): string | null {
  return rows.length < most ? null : (rows.at(-1)?.id ?? null);
}
