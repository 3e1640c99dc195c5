import { and, eq, lte, or, sql, type SQL } from "drizzle-orm";
import { comingWindows, NOTHING_COMES, type ComingWindows } from "#domain/schedule/coming-windows";
import { lastEnd } from "#domain/schedule/recurrence";
import type { Recurring } from "#domain/schedule/schedule";
import { toIso } from "#domain/time/to-iso";
import type { Database } from "./database";
import { bySun, nightColumns, withNights } from "./nights";
import { schedules as table } from "./schema";

/** A batch that fits easily into one D1 answer and one statement parameter. */
const AT_ONCE = 2_000;
/** Sorts after every instant. */
const NEVER = "~";

type Outdated = Awaited<ReturnType<typeof outdated>>[number];

/**
 * The schedules whose stored windows are outdated: their window is over and the next one has begun. Part of every batch
 * that reads the next event; the sweep keeps it empty.
 */
export function outdated(db: Database, org_id: string, now: string) {
  return selected(db, and(isOver(org_id, now), lte(table.then_start_at, now)));
}

/** Runs `ask`; if some of its schedules are outdated, updates them and runs it once more. */
export async function withComingWindows<Found>(
  db: Database,
  org_id: string,
  now: string,
  ask: () => Promise<{ old: Outdated[]; found: Found }>,
): Promise<Found> {
  const { old, found } = await ask();
  if (old.length === 0) return found;
  await update(db, org_id, now, old);
  if (old.length === AT_ONCE) await refreshComingWindows(db, org_id, now);
  return (await ask()).found;
}

/** Updates the stored windows of every schedule whose window is over, before anybody reads an outdated one. */
export async function refreshComingWindows(db: Database, org_id: string, now: string): Promise<void> {
  for (;;) {
    const over = await selected(db, isOver(org_id, now));
    if (over.length > 0) await update(db, org_id, now, over);
    if (over.length < AT_ONCE) return;
    await breath(); // a database beside us answers at once, and nobody else would be answered until the last batch
  }
}

function breath(): Promise<void> {
  return new Promise((go) => void setTimeout(go));
}

/**
 * Makes the stored windows of schedules unknown, so that whoever reads them next works them out anew: of those by the sun,
 * in one area or everywhere, because the place has moved or lights have come to it.
 */
export function forgetSunWindows(db: Database, org_id: string, area_id?: string) {
  return forgetWindows(
    db,
    and(eq(table.org_id, org_id), bySun, area_id === undefined ? undefined : isIn(org_id, area_id)),
  );
}

/** The same for the schedules of a calendar whose dates have changed. */
export function forgetCalendarWindows(db: Database, org_id: string, calendar_id: string) {
  return forgetWindows(db, and(eq(table.org_id, org_id), eq(table.calendar_id, calendar_id)));
}

function forgetWindows(db: Database, condition: SQL | undefined) {
  return db
    .update(table)
    .set({ window_start_at: null, window_end_at: "", then_start_at: "" })
    .where(and(condition, eq(table.status, "scheduled")));
}

function isIn(org_id: string, area_id: string): SQL | undefined {
  return or(
    eq(table.area_id, area_id),
    sql`${table.group_id} in (select id from device_groups where org_id = ${org_id} and area_id = ${area_id})`,
    sql`${table.device_id} in (select id from devices where area_id = ${area_id})`,
  );
}

/** The next start or end of a schedule's stored windows; null if there is none. */
export function nextEventAt(now: string): SQL<string | null> {
  return firstLater(now, "window_start_at", "window_end_at", "then_start_at");
}

/** The next start of a schedule's stored windows. */
export function nextStartAt(now: string): SQL<string | null> {
  return firstLater(now, "window_start_at", "then_start_at");
}

/** Whether a window is running: 1, 0 or null. */
export function isRunning(now: string): SQL<number | null> {
  return sql`(${table.window_start_at} <= ${now} and ${table.window_end_at} > ${now})`;
}

function firstLater(now: string, ...columns: (keyof ComingWindows)[]): SQL<string | null> {
  // With the table's name, which Drizzle omits in a query of one other table.
  const instants = columns.map(
    (column) => sql`iif(${table}.${sql.raw(column)} > ${now}, ${table}.${sql.raw(column)}, ${NEVER})`,
  );
  return sql`nullif(min(${sql.join(instants, sql`, `)}), ${NEVER})`;
}

function isOver(org_id: string, now: string): SQL | undefined {
  return and(eq(table.org_id, org_id), lte(table.window_end_at, now));
}

function selected(db: Database, condition: SQL | undefined) {
  const { id, version, status, last_end_at } = table;
  return db
    .select({ id, version, status, last_end_at, ...nightColumns })
    .from(table)
    .where(condition)
    .orderBy(table.window_end_at)
    .limit(AT_ONCE);
}

/**
 * One statement that finds each row by its id; by org_id it would read all rows for each. Skips schedules that were
 * changed meanwhile, since the change wrote their windows.
 */
async function update(db: Database, org_id: string, now: string, rows: Outdated[]): Promise<void> {
  const at = Date.parse(now);
  const coming = (await withNights(db, org_id, rows)).map(({ id, version, status, last_end_at, ...schedule }) => {
    const windows = status === "scheduled" ? comingWindows(schedule, at) : NOTHING_COMES;
    const { window_start_at, window_end_at, then_start_at } = windows;
    return [id, version, window_start_at, window_end_at, then_start_at, lastEndAt(schedule, last_end_at)];
  });
  await db.run(sql`UPDATE schedules SET window_start_at = fresh.value ->> 2, window_end_at = fresh.value ->> 3,
    then_start_at = fresh.value ->> 4, last_end_at = fresh.value ->> 5 FROM json_each(${JSON.stringify(coming)}) fresh
    WHERE schedules.id = fresh.value ->> 0 AND schedules.version = fresh.value ->> 1 AND +schedules.org_id = ${org_id}`);
}

/** The last end moves with the sun only; without a position nobody knows it, and what was known stands. */
function lastEndAt(schedule: Recurring, known: string | null): string | null {
  if (known === null || !schedule.positions?.length) return known;
  const end = lastEnd(schedule);
  return end === null ? known : toIso(end);
}
