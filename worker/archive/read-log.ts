import { placeIn, rowIn, type RawRow } from "#db/archive";
import { MOST_BYTES, type Piece } from "#db/log";
import { causeOf } from "#domain/errors";
import type { Place } from "#domain/lists/log-query";
import { daysOf, openDay, UnreadableDay, type Shelf } from "#worker/archive/bucket";
import type { LineFilter } from "#worker/archive/day-file";
import { log } from "#worker/log";

/** A row of a day file by its columns. */
export type Raw = Record<string, RawRow[number]>;

/** Which rows of the files to read. */
export type Wanted = { mayMatch: LineFilter; matches: (raw: Raw) => boolean };

type Found = { place: Place; raw: Raw };

/** What was found up to a place of the log, in its order; `examined` rows were looked at for it. */
type Chunk = { upTo: Place; rows: Found[]; examined: number };

/** How many rows, and how many files, a page is looked for in: a second or so of CPU time. */
const MOST_EXAMINED = 300_000;
const MOST_FILES = 62;
/** The parts that are fetched at once when the first ones did not fill the page; a megabyte or so. */
const MOST_PARTS_AT_ONCE = 8;
/** The files that are opened at once, where many are small. */
const MOST_OPENED_AT_ONCE = 8;
const LAST_INSTANT = "T23:59:59.999Z";

type Section = Pick<Piece, "sort" | "since" | "until" | "after">;

/**
 * How far one page may look: through so many of the database's entries, and of the files'. A log of one day is always looked
 * through.
 */
export type Reach = { stored: number; examined: number; files: number };
export const A_PAGE: Reach = { stored: MOST_EXAMINED, examined: MOST_EXAMINED, files: MOST_FILES };
export const A_PIECE_OF_AN_EXPORT: Reach = { ...A_PAGE, stored: Infinity };
export const ALL_OF_IT: Reach = { stored: Infinity, examined: Infinity, files: Infinity };

/** Where a page ends before it is full: the place to go on from, and the day whose file could not be read, if that is why. */
export type Stop = { at: Place; unreadable: string | null };

type Asked<Row> = { hot: Row[]; end: Place | null; limit: number; section: Section; before: string };

/**
 * Merges what the database holds of a section with the day files: `hot` are its first `limit` rows, in order,
 * fewer up to `end` where they are long: the page ends there, too, since what the database has beyond is not known. What
 * stands in both, because it is just being moved, is read once. `before` is the first day (in UTC) that has no file.
 */
export async function readWithFiles<Row>(
  shelf: Shelf,
  { hot, end, limit, section, before }: Asked<Row>,
  { wanted, placeOf, record }: { wanted: Wanted; placeOf: (row: Row) => Place; record: (raw: Raw) => Row },
  reach: Reach,
): Promise<{ rows: Row[]; fromFiles: number; stop: Stop | null }> {
  const rows: Row[] = [];
  let [next, fromFiles, examined, characters] = [0, 0, 0, 0];
  /** As many long entries as a worker's memory takes at once are a page, too. */
  const isFull = () => rows.length >= limit || characters >= MOST_BYTES;

  const isBeyond = (at: Place) => end !== null && compared(at, end, section) > 0;
  const stopAt = (at: Place, unreadable: string | null = null): Stop => ({
    at: end && isBeyond(at) ? end : at,
    unreadable,
  });

  /** Takes the database's rows up to a place, and those found between them. */
  function take(upTo: Place | null, found: readonly Found[]): void {
    let index = 0;
    for (;;) {
      const row = hot[next];
      const stored =
        row !== undefined && (upTo === null || compared(placeOf(row), upTo, section) <= 0) ? row : undefined;
      const filed = found[index];
      if (isFull() || (stored === undefined && filed === undefined)) return;
      const order = stored && filed ? compared(placeOf(stored), filed.place, section) : stored ? -1 : 1;
      if (stored !== undefined && order <= 0) {
        rows.push(stored);
        next += 1;
        if (order === 0) index += 1;
      } else if (filed) {
        rows.push(recorded(filed));
        characters += String(filed.raw["details"] ?? "").length;
        fromFiles += 1;
        index += 1;
      }
    }
  }

  function recorded({ place, raw }: Found): Row {
    try {
      return record(raw);
    } catch (caught) {
      throw new UnreadableDay(dayOfText(place.at), caught);
    }
  }

  const lastHot = hot.length >= limit ? hot.at(-1) : undefined;
  const days = await daysIn(shelf, section, before, end ?? (lastHot && placeOf(lastHot)));
  const files = days.slice(0, reach.files);
  try {
    for await (const chunk of chunksOf(shelf, files, section, wanted)) {
      take(
        chunk.upTo,
        chunk.rows.filter(({ place }) => !isBeyond(place)),
      );
      const last = rows.at(-1);
      if (rows.length >= limit) return { rows, fromFiles, stop: null };
      if (isFull() && last) return { rows, fromFiles, stop: stopAt(placeOf(last)) };
      examined += chunk.examined;
      if (examined >= reach.examined || isBeyond(chunk.upTo)) return { rows, fromFiles, stop: stopAt(chunk.upTo) };
    }
  } catch (caught) {
    if (!(caught instanceof UnreadableDay)) throw caught;
    log("error", "archive.unreadable", { org_id: shelf.org_id, log: shelf.log, day: caught.day, ...causeOf(caught) });
    const at = beyond(caught.day, section);
    take(at, []);
    if (rows.length >= limit) return { rows, fromFiles, stop: null };
    return { rows, fromFiles, stop: stopAt(at, caught.day) };
  }
  const lastFile = files.at(-1);
  if (files.length < days.length && lastFile) {
    return { rows, fromFiles, stop: stopAt(beyond(lastFile, section)) };
  }
  take(null, []);
  return { rows, fromFiles, stop: end && rows.length < limit ? stopAt(end) : null };
}

/** The days of the section that have a file, in its order. If the database filled the page, none beyond its last row. */
async function daysIn(shelf: Shelf, section: Section, before: string, last: Place | undefined): Promise<string[]> {
  const { sort, since, until, after } = section;
  const ends = sort === "newest" ? { from: last, to: after } : { from: after, to: last };
  const from = [since, ends.from?.at].filter((at) => at !== undefined).map(dayOfText);
  const to = [until, ends.to?.at].filter((at) => at !== undefined).map(dayOfText);
  const first = from.toSorted().at(-1);
  const lastDay = [before, ...to].toSorted()[0] ?? before;
  if (first !== undefined && first > lastDay) return [];
  const days = await daysOf(shelf, { ...(first === undefined ? {} : { from: first }), to: lastDay });
  // A day that ends where the last page ended is done: it was read, or could not be.
  const isOver = (day: string) => after !== undefined && compared(beyond(day, section), after, section) <= 0;
  const filed = days.filter((day) => day < before && !isOver(day));
  return sort === "newest" ? filed.toReversed() : filed;
}

async function* chunksOf(shelf: Shelf, days: string[], section: Section, wanted: Wanted): AsyncGenerator<Chunk> {
  let ahead = 1;
  for (let index = 0; index < days.length;) {
    const batch = days.slice(index, index + ahead);
    // The first bytes of each: a small city's whole day.
    const opened = await Promise.allSettled(batch.map((day) => openDay(shelf, day)));
    for (const [n, day] of batch.entries()) {
      const settled = opened[n];
      let { after } = section;
      try {
        if (settled?.status === "rejected") throw settled.reason;
        for await (const chunk of chunksOfDay(settled?.value ?? null, shelf, { ...section, after }, wanted)) {
          after = chunk.upTo;
          yield chunk;
        }
      } catch (caught) {
        if (!(caught instanceof UnreadableDay)) throw caught;
        // Late entries may just have been merged into it: read on from the new file, whose rows up to here are the same.
        yield* chunksOfDay(await openDay(shelf, day), shelf, { ...section, after }, wanted);
      }
    }
    index += batch.length;
    ahead = Math.min(MOST_OPENED_AT_ONCE, ahead * 2);
  }
}

async function* chunksOfDay(
  file: Awaited<ReturnType<typeof openDay>>,
  { log }: Shelf,
  section: Section,
  { mayMatch, matches }: Wanted,
): AsyncGenerator<Chunk> {
  if (file === null) return;
  const { columns, parts, day } = file.header;
  const [placeOf, rawOf] = [placeIn(log, columns), rowIn(log, columns)];
  const inSection = ({ at }: Place) =>
    (section.since === undefined || at >= section.since) && (section.until === undefined || at < section.until);
  const isNext = (place: Place) => section.after === undefined || compared(place, section.after, section) > 0;

  const backwards = section.sort === "newest";
  const indexes = [...parts.keys()].filter((index) => {
    const part = parts[index];
    if (!part) return false;
    const end = backwards ? part.first : part.last;
    const isTooOld = section.since !== undefined && part.last.at < section.since;
    const isTooNew = section.until !== undefined && part.first.at >= section.until;
    return isNext(end) && !isTooOld && !isTooNew;
  });
  let group = 1;
  while (indexes.length > 0) {
    const some = backwards ? indexes.splice(-group) : indexes.splice(0, group);
    group = Math.min(MOST_PARTS_AT_ONCE, group * 2);
    const [from, to] = [some[0] ?? 0, some.at(-1) ?? 0];
    const read = await file.parts(from, to + 1, mayMatch);
    const found = read.flat().flatMap((row): Found[] => {
      const place = placeOf(row);
      const raw = rawOf(row);
      return isNext(place) && inSection(place) && matches(raw) ? [{ place, raw }] : [];
    });
    const end = backwards ? parts[from]?.first : parts[to]?.last;
    if (!end) throw new UnreadableDay(day, new Error("its header names no such part"));
    const examined = parts.slice(from, to + 1).reduce((sum, { rows }) => sum + rows, 0);
    yield { upTo: end, rows: backwards ? found.toReversed() : found, examined };
  }
}

/** Less than 0 if a place comes first in the section's order. */
function compared(a: Place, b: Place, { sort }: Pick<Section, "sort">): number {
  if (a.at === b.at && a.id === b.id) return 0;
  const isFirst = a.at === b.at ? a.id < b.id : a.at < b.at;
  return isFirst === (sort === "oldest") ? -1 : 1;
}

/** The place before every entry of a day. */
export function startOf(day: string): Place {
  return { at: `${day}T00:00:00.000Z`, id: "!" };
}

/** The place after which a section has left a day. */
function beyond(day: string, { sort }: Section): Place {
  return sort === "newest" ? startOf(day) : { at: `${day}${LAST_INSTANT}`, id: "~" };
}

function dayOfText(at: string): string {
  return at.slice(0, 10);
}
