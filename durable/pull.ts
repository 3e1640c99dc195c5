import { and, eq, gt, inArray, sql as q } from "drizzle-orm";
import { changes } from "#db/schema";
import { byKind, headOf, PAGE, rowsOf, storedSettings, type Only, type RowsByKind } from "./pull-rows";
import type { EngineContext } from "./state/context";
import { D1_DEADLINE_MS, withDeadline } from "./state/deadline";
import { plannedIds } from "./state/plan";
import type { PlanKind } from "./state/plan-rows";

/** More records than this have changed: everything is read in pages. */
export const MOST_CHANGES = 2_000;
/** Kinds of which a city has thousands, each after those that it names; of the others it has few, all in the first page. */
const PAGED = ["hub", "device", "schedule"] as const;
type Paged = (typeof PAGED)[number];

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

/** What has changed since the version; null where D1 no longer knows, since retention prunes old changes. */
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
      ...rowsOf(db, org_id, changedOnly),
    ]),
  );
  if (!organization[0] || (oldest[0]?.version ?? Number.MAX_SAFE_INTEGER) > since + 1) return null;
  const rows = byKind(found);
  const ids = (kind: PlanKind) => changed.filter((c) => c.kind === kind).map((c) => c.record_id);
  return { ...organization[0], changed, rows, gone: goneOf(rows, ids), settings: stored };
}

/**
 * The next page of everything: the first has what a city has few of, and the beginning of the rest. A kind begins after
 * those that it names are complete: a device without its hub would look rerouted. Null where D1 has no such organization.
 */
export async function readPage(context: EngineContext, org_id: string, cursors: Cursors | null): Promise<Page | null> {
  const { db } = context;
  const after = cursors ?? { hub: "", device: "", schedule: "" };
  const front = PAGED.find((kind) => after[kind] !== null);
  const inPage: Only = (kind, id) => {
    if (cursors !== null && kind !== front) return q`false`;
    return isPaged(kind) ? gt(q`${id}`, after[kind] ?? "") : undefined;
  };
  const [organization, stored, ...found] = await withDeadline(
    context,
    D1_DEADLINE_MS,
    db.batch([headOf(db, org_id), storedSettings(db, org_id), ...rowsOf(db, org_id, inPage)]),
  );
  if (!organization[0]) return null;
  const rows = byKind(found);
  const next = { ...after };
  for (const kind of PAGED) {
    const isTurn = PAGED.slice(0, PAGED.indexOf(kind)).every((before) => next[before] === null);
    if (!isTurn) rows[kind] = [];
    else if (cursors === null || kind === front) next[kind] = lastOf(rows[kind]);
  }
  const known = (kind: PlanKind) => {
    if (!isPaged(kind)) return cursors === null ? plannedIds(context.sql, kind) : [];
    return next[kind] === after[kind] ? [] : plannedIds(context.sql, kind, after[kind] ?? "", next[kind]);
  };
  return {
    ...organization[0],
    changed: null,
    rows,
    gone: goneOf(rows, known),
    settings: cursors === null ? stored : null,
    next: Object.values(next).every((cursor) => cursor === null) ? null : next,
  };
}

/** Nothing is gone; a list for each kind. */
export function noneGone(): Record<PlanKind, string[]> {
  return goneOf(null, () => []);
}

function goneOf(rows: RowsByKind | null, known: (kind: PlanKind) => string[]): Record<PlanKind, string[]> {
  const gone = (kind: PlanKind) => {
    const there = new Set<string>(rows?.[kind].map(({ id }) => id));
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

function isPaged(kind: PlanKind): kind is Paged {
  return PAGED.some((paged) => paged === kind);
}

function lastOf(rows: { id: string }[]): string | null {
  return rows.length < PAGE ? null : (rows.at(-1)?.id ?? null);
}
