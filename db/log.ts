import { and, asc, desc, gte, lt, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { LogView, Place } from "#domain/lists/log-query";
import type { Database } from "./database";

/** A section of a log: between two instants (ISO, half-open), after a cursor and up to a place, in one order. */
export type Piece = Pick<LogView, "sort"> & {
  since?: string;
  until?: string;
  after?: Place;
  upTo?: Place;
  limit: number;
};

/** Entries of a section: `isCut` where it has more, which a worker's memory would not take at once. */
export type Portion<Row> = { rows: Row[]; isCut: boolean };

/** What is read at once of texts that may be long, in bytes: a worker has 128 MB, and each text is there several times. */
export const MOST_BYTES = 6_000_000;

/**
 * Whether an entry is in the section. The row comparison uses the index on the instant. Of two bounds at one end only the
 * narrower is given: SQLite searches by either, and a page far back read all pages before it.
 */
export function inPiece(at: SQLWrapper, id: SQLWrapper, { since, until, after, upTo, sort }: Piece): SQL | undefined {
  const isNewest = sort === "newest";
  const begun = after && (isNewest ? until && after.at < until : since && after.at >= since);
  const [isFrom, isTo] = isNewest ? [upTo, begun] : [begun, upTo];
  const [order, back] = isNewest ? [sql`<`, sql`>=`] : [sql`>`, sql`<=`];
  return and(
    since === undefined || isFrom ? undefined : gte(at, since),
    until === undefined || isTo ? undefined : lt(at, until),
    after && sql`(${at}, ${id}) ${order} (${after.at}, ${after.id})`,
    upTo && sql`(${at}, ${id}) ${back} (${upTo.at}, ${upTo.id})`,
  );
}

export function inSort(at: SQLWrapper, id: SQLWrapper, sort: LogView["sort"]): SQL[] {
  return sort === "newest" ? [desc(at), desc(id)] : [asc(at), asc(id)];
}

/** The place of a section's nth entry, of those that are `there`; null where it has fewer. Reads an index alone. */
export async function nthPlace(
  db: Database,
  log: { table: SQLiteTable; at: SQLiteColumn; id: SQLiteColumn; there: SQL | undefined },
  piece: Piece,
  nth: number,
): Promise<Place | null> {
  const { table, at, id, there } = log;
  const [place] = await db
    .select({ at: sql<string>`${at}`, id: sql<string>`${id}` })
    .from(table)
    .where(and(there, inPiece(at, id, piece)))
    .orderBy(...inSort(at, id, piece.sort))
    .limit(1)
    .offset(nth - 1);
  return place ?? null;
}
