import type { Piece } from "#db/log";
import { ARCHIVE_AFTER_DAYS } from "#domain/lists/archive";
import type { Place } from "#domain/lists/log-query";
import type { InFiles } from "#worker/archive/archived-logs";
import { hasFiles } from "#worker/archive/bucket";
import { readWithFiles, type Reach, type Stop } from "#worker/archive/read-log";
import { daysBefore } from "#worker/archive/utc-days";

type Means = { org_id: string; archive: R2Bucket | null; now: () => Date };

/** A log in the database and in its day files. */
export type StoredLog<View, Row> = {
  /** Reads the section's entries that the person may see from the database. */
  read: (view: View, piece: Piece) => Promise<Row[]>;
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
export function logReader<View, Row>({ org_id, archive, now }: Means, log: StoredLog<View, Row>) {
  let known: string | null = null;
  /** The same for the whole request, also where a day begins in it. */
  const firstYoungDay = () => (known ??= daysBefore(now().getTime(), ARCHIVE_AFTER_DAYS));
  const borderOf = (day: string): Place => ({ at: `${day}T00:00:00.000Z`, id: "!" });

  return {
    /** The first day (in UTC) that is in the database only; null if there is no archive. */
    get before() {
      return archive === null ? null : firstYoungDay();
    },

    isYoung: (row: Row) => archive === null || log.placeOf(row).at >= borderOf(firstYoungDay()).at,

    read: async (view: View, piece: Piece, reach: Reach): Promise<Read<Row>> => {
      const hot = await log.read(view, piece);
      if (archive === null) return { rows: hot, isFromFiles: false, stop: null, border: null };
      const shelf = { bucket: archive, org_id, log: log.files.log };
      const before = firstYoungDay();
      const border = borderOf(before);
      if (isOfOldDays(piece, border.at)) {
        const { rows, fromFiles, stop } = await readWithFiles(
          shelf,
          { hot, limit: piece.limit, section: piece, before },
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
