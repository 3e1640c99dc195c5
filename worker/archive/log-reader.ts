import type { Piece, Portion } from "#db/log";
import { ARCHIVE_AFTER_DAYS } from "#domain/lists/archive";
import { isSearch, type Place, type Sought } from "#domain/lists/log-query";
import type { InFiles } from "#worker/archive/archived-logs";
import { hasFiles } from "#worker/archive/bucket";
import { readWithFiles, startOf, type Reach, type Stop } from "#worker/archive/read-log";
import { daysBefore } from "#worker/archive/utc-days";

/** A page looks first through that part of what it may look through. */
const FIRST_STEP = 16;

type Means = { org_id: string; archive: R2Bucket | null; now: () => Date };

/** A log in the database and in its day files. */
export type StoredLog<View, Row> = {
  /** Reads the section's entries that the person may see from the database. */
  read: (view: View, piece: Piece) => Promise<Portion<Row>>;
  /** The place of the section's nth entry there, whatever the view looks for; null where it has fewer. */
  nthPlace: (view: View, piece: Piece, nth: number) => Promise<Place | null>;
  placeOf: (row: Row) => Place;
  files: InFiles<View, Row>;
  /** The departments to show besides organization-wide rows, null for all. */
  depts: string[] | null;
};

/** Entries in order. `border` is the place to go on from where the database's entries end and the archive's follow. */
export type Read<Row> = { rows: Row[]; isFromFiles: boolean; stop: Stop | null; border: Place | null };

/**
 * Reads a log wherever it stands. The archive is asked where a section is of old days, or has come to them: whoever looks at
 * what is new waits for no file.
 */
export function logReader<View extends Sought, Row>({ org_id, archive, now }: Means, log: StoredLog<View, Row>) {
  let known: string | null = null;
  /** The same for the whole request, also where a day begins in it. */
  const firstYoungDay = () => (known ??= daysBefore(now().getTime(), ARCHIVE_AFTER_DAYS));

  /** What the database has of a section, and where it ends for now, if all of it is too long for one read. */
  async function readWhole(view: View, piece: Piece) {
    const { rows, isCut } = await log.read(view, piece);
    const last = rows.at(-1);
    return { rows, end: isCut && last ? log.placeOf(last) : null };
  }

  /**
   * What the database has of a section, and where looking ended, if that was before its end. What no index finds is looked
   * for in ever larger steps: a search that finds nothing read 90 days of a city, at each pause of whoever typed it, and
   * nobody else was answered meanwhile.
   */
  async function readStored(view: View, piece: Piece, { stored }: Reach, border: string) {
    const rows: Row[] = [];
    let { after } = piece;
    let step = Math.ceil(stored / FIRST_STEP);
    for (let looked = 0; looked < stored; step = Math.min(4 * step, stored - looked)) {
      const place = await log.nthPlace(view, { ...piece, after }, step);
      // What is older than the border is merged with the files, and read whole.
      const upTo = place === null || place.at < border ? undefined : place;
      const found = await readWhole(view, { ...piece, after, upTo, limit: piece.limit - rows.length });
      rows.push(...found.rows);
      if (found.end !== null) return { rows, end: found.end };
      if (upTo === undefined || rows.length >= piece.limit) return { rows, end: null };
      looked += step;
      after = upTo;
    }
    return { rows, end: after ?? null };
  }

  return {
    /** The first day (in UTC) that is in the database only; null if there is no archive. */
    get before() {
      return archive === null ? null : firstYoungDay();
    },

    isYoung: (row: Row) => archive === null || log.placeOf(row).at >= startOf(firstYoungDay()).at,

    read: async (view: View, piece: Piece, reach: Reach): Promise<Read<Row>> => {
      const before = firstYoungDay();
      const border = archive === null ? null : startOf(before);
      const isOld = border !== null && isOfOldDays(piece, border.at);
      const isLookedFor = reach.stored < Infinity && (isSearch(view) || log.depts !== null);
      // From the oldest entry on the files come first.
      const { rows: hot, end } =
        isLookedFor && !(isOld && piece.sort === "oldest")
          ? await readStored(view, piece, reach, border?.at ?? "")
          : await readWhole(view, piece);
      const stopped: Stop | null = end && { at: end, unreadable: null };
      if (archive === null || border === null) return { rows: hot, isFromFiles: false, stop: stopped, border: null };
      // From the oldest entry on files come before what is young.
      if (end !== null && end.at >= border.at && !(isOld && piece.sort === "oldest"))
        return { rows: hot, isFromFiles: false, stop: stopped, border: null };
      const shelf = { bucket: archive, org_id, log: log.files.log };
      if (isOld) {
        const { rows, fromFiles, stop } = await readWithFiles(
          shelf,
          { hot, end, limit: piece.limit, section: piece, before },
          { wanted: log.files.wanted(view, log.depts), placeOf: log.placeOf, record: log.files.record },
          reach,
        );
        return { rows, isFromFiles: fromFiles > 0, stop, border: null };
      }
      // What has yet to be moved stands between what was: the page ends before it.
      const rows = hot.filter((row) => log.placeOf(row).at >= border.at);
      const isLast = piece.sort === "newest" && piece.since === undefined && rows.length < piece.limit;
      const hasOlder = isLast && (rows.length < hot.length || (await hasFiles(shelf)));
      return { rows, isFromFiles: false, stop: null, border: hasOlder ? border : null };
    },
  };
}

/** Whether a section reaches back to what is archived. From the newest entry it does where somebody asks for such days. */
function isOfOldDays({ sort, since, until, after }: Piece, border: string): boolean {
  if (sort === "oldest") return (since ?? "") < border && (after?.at ?? "") < border;
  if (since !== undefined) return since < border;
  return (until !== undefined && until <= border) || (after !== undefined && after.at <= border);
}
