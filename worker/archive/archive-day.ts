import { compare } from "#domain/compare";
import { archivable, placeIn, type RawRow } from "#db/archive";
import type { Database } from "#db/database";
import type { Portion } from "#db/log";
import { causeOf } from "#domain/errors";
import type { Place } from "#domain/lists/log-query";
import { daysOf, openDay, putDay, type OpenDay, type Shelf } from "#worker/archive/bucket";
import { writeDay } from "#worker/archive/day-file";
import { nextDay } from "#worker/archive/utc-days";
import { log } from "#worker/log";

/** The rows that one statement reads, and that one deletes: D1 runs one at a time, and everybody else waits for it. */
const READ_AT_ONCE = 2_000;
const DELETED_AT_ONCE = 1_000;
/** The rows that one step moves; what it remembers of them, to delete just these, stays below 20 MB. */
const MOST_ROWS = 100_000;
/** What a step calls besides reading and deleting rows, at most. */
const OTHER_CALLS = 12;

type Source = ReturnType<typeof archivable>;

/** How many calls of D1 and the bucket are left: the platform counts them by the event. */
export type Budget = { calls: number };

/**
 * Moves rows of a day (in UTC) from D1 to the day's file, of those that are older than `before`; how many. The file is
 * written and read back before a row is deleted, and it only ever grows: breaking off anywhere loses nothing, and the next
 * time does the rest. What came late is merged into its day. None are moved where the budget is used up, or another run
 * writes the same file.
 */
export async function archiveDay(
  shelf: Shelf,
  db: Database,
  { day, before }: { day: string; before: string },
  budget: Budget,
): Promise<number> {
  const { org_id } = shelf;
  const source = archivable(db, org_id, shelf.log);
  const cost = source.calls + READ_AT_ONCE / DELETED_AT_ONCE;
  const most = Math.min(MOST_ROWS, Math.floor((budget.calls - OTHER_CALLS) / cost) * READ_AT_ONCE);
  if (most <= 0) return 0;

  budget.calls -= 1;
  const old = await openDay(shelf, day);
  const columns = source.names;
  const place = placeIn(shelf.log, columns);
  const moved: Place[] = [];

  async function* inDatabase(): AsyncGenerator<RawRow> {
    let after: Place | undefined;
    while (moved.length < most && budget.calls - moved.length / DELETED_AT_ONCE > OTHER_CALLS) {
      const limit = Math.min(READ_AT_ONCE, most - moved.length);
      budget.calls -= source.calls;
      const { rows, isCut } = await source.rows({ since: day, until: nextDay(day), after, limit });
      for (const row of rows) {
        after = place(row);
        moved.push(after);
        yield row;
      }
      if (!isCut) return;
    }
  }

  const filed = old === null ? heldBefore(shelf, source, day, budget) : inFile(old, columns, budget);
  const union = merged(filed, inDatabase(), place);
  const file = await writeDay({ org_id, log: shelf.log, day, columns }, union, place);
  // The union of equal rows is the file that is there: a run that broke off after writing it left the rows to delete.
  if (file.header.sha256 !== old?.header.sha256) {
    budget.calls -= 2;
    if (!(await putDay(shelf, file, old?.etag ?? null))) return 0;
  }
  let rows = 0;
  for (let from = 0; from < moved.length; from += DELETED_AT_ONCE) {
    budget.calls -= 1;
    const { meta } = await source.remove(moved.slice(from, from + DELETED_AT_ONCE), before);
    rows += meta.changes;
  }
  return rows;
}

/** The rows of a file in the columns of today: one that a release did not have yet is null in its files. */
async function* inFile(old: OpenDay, columns: readonly string[], budget: Budget): AsyncGenerator<RawRow> {
  const { header } = old;
  const from = columns.map((name) => header.columns.indexOf(name));
  for (let index = 0; index < header.parts.length; index++) {
    budget.calls -= 1;
    for (const rows of await old.parts(index, index + 1)) {
      for (const row of rows) yield from.map((at) => row[at] ?? null);
    }
  }
}

/**
 * The last change of each light before a day, in order: a day's file of the log of states begins with them, so that a night
 * is read from the files of its own days. They are in the file before it, for the same reason, or still in D1. Where that
 * file cannot be read the chain ends, and lights are unknown until their next change.
 */
async function* heldBefore(shelf: Shelf, source: Source, day: string, budget: Budget): AsyncGenerator<RawRow> {
  if (shelf.log !== "state-log") return;
  const place = placeIn(shelf.log, source.names);
  const last = new Map<string, RawRow>();
  // Each row is behind those before it, so that the map stays in order.
  for await (const row of merged(
    inPreviousFile(shelf, source, day, budget),
    olderInDatabase(source, day, place, budget),
    place,
  )) {
    const { id } = place(row);
    last.delete(id);
    last.set(id, row);
  }
  yield* last.values();
}

async function* inPreviousFile(shelf: Shelf, { names }: Source, day: string, budget: Budget): AsyncGenerator<RawRow> {
  budget.calls -= 2;
  try {
    const previous = (await daysOf(shelf, { to: day })).findLast((each) => each < day);
    const file = previous === undefined ? null : await openDay(shelf, previous);
    if (file !== null) yield* inFile(file, names, budget);
  } catch (caught) {
    log("warn", "archive.chain_ended", { org_id: shelf.org_id, log: shelf.log, day, ...causeOf(caught) });
  }
}

async function* olderInDatabase(
  source: Source,
  day: string,
  place: (row: RawRow) => Place,
  budget: Budget,
): AsyncGenerator<RawRow> {
  let found: Portion<RawRow>;
  let after: Place | undefined;
  do {
    budget.calls -= source.calls;
    found = await source.rows({ since: "", until: day, after, limit: READ_AT_ONCE });
    yield* found.rows;
    const end = found.rows.at(-1);
    after = end && place(end);
  } while (found.isCut);
}

/** Two sequences in the order of their places as one; of two rows in one place, the second one's. */
async function* merged(
  first: AsyncGenerator<RawRow>,
  second: AsyncGenerator<RawRow>,
  place: (row: RawRow) => Place,
): AsyncGenerator<RawRow> {
  let [a, b] = [await first.next(), await second.next()];
  while (!a.done && !b.done) {
    const order = compared(place(a.value), place(b.value));
    yield order < 0 ? a.value : b.value;
    if (order <= 0) a = await first.next();
    if (order >= 0) b = await second.next();
  }
  for (; !a.done; a = await first.next()) yield a.value;
  for (; !b.done; b = await second.next()) yield b.value;
}

function compared(a: Place, b: Place): number {
  return compare(a.at, b.at) || compare(a.id, b.id);
}
