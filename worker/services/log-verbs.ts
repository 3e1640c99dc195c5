import type { z } from "zod";
import type { Piece } from "#db/log";
import { archiveNotes, retentionNote, unreadableDay } from "#domain/lists/archive";
import { csvLine } from "#domain/lists/csv";
import { fromLocalInput } from "#domain/time/display";
import { isRefusal, Refusal } from "#domain/errors";
import { cursorOf, MOST_EXPORTED, type LogPage, type LogView, type Place, type Sought } from "#domain/lists/log-query";
import { LOG_PAGE } from "#domain/enums";
import type { Capability } from "#domain/organization/permissions";
import { dateAfter } from "#domain/time/date-after";
import { logReader, type Read, type StoredLog } from "#worker/archive/log-reader";
import { ALL_OF_IT, A_PAGE, A_PIECE_OF_AN_EXPORT } from "#worker/archive/read-log";
import { daysBefore } from "#worker/archive/utc-days";
import { parse } from "#worker/services/parse";
import { permit, type Scope } from "#worker/services/scope";
import { settingsService } from "#worker/services/settings";
import { zonedTimes } from "#worker/services/zoned-time";
import { toIso } from "#domain/time/to-iso";

/** The differences between the logs; paging and export are the same for all. */
type Log<View extends LogView, Row> = StoredLog<View, Row> & {
  may: Capability;
  view: z.ZodType<View>;
  /** An entry's columns in an export, besides its time. */
  columns: Record<string, (row: Row) => string | number | null>;
};

/** The entries that an export reads per round trip. */
const EXPORTED_AT_ONCE = 1_000;
/** How often an export goes on where it has looked through as much as a page may, before it asks for fewer days. */
const MOST_PAUSES = 20;
/** The byte order mark, so that spreadsheets read UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/** What can be asked of every log; `log` says how this one differs. */
export function logVerbs<View extends LogView & Sought, Row>(scope: Scope, log: Log<View, Row>) {
  const zone = async () => (await settingsService(scope).find()).APP_TIMEZONE;
  const reader = logReader(scope, log);
  const { read, isYoung } = reader;

  return {
    /** Of the latest entries those that are not in the archive, so that none is missing between two. */
    young: (rows: Row[]) => rows.filter(isYoung),

    /** The latest entries of a day in the organization's zone, after `after`. Refuses with `unavailable` if its file cannot be read. */
    ofDay: async (view: View, { day, since, ...piece }: Pick<Piece, "after" | "since" | "limit"> & { day: string }) => {
      const days = daysOf({ from: day, to: day, sort: "newest" }, await zone());
      const from = [days.since, since]
        .filter((at) => at !== undefined)
        .toSorted()
        .at(-1);
      const { rows, stop } = await read(view, { ...days, since: from, ...piece, sort: "newest" }, ALL_OF_IT);
      if (stop?.unreadable) throw new Refusal("unavailable", unreadableDay(stop.unreadable));
      return rows;
    },

    /** The page for a screen's query string. Refuses with `forbidden`. */
    page: async (query: unknown): Promise<LogPage<Row>> => {
      permit(scope.user, log.may);
      const view = parse(log.view, query);
      const days = view.from || view.to ? daysOf(view, await zone()) : {};
      const piece = { ...days, sort: view.sort, after: view.cursor, limit: LOG_PAGE + 1 };
      const found = await read(view, piece, A_PAGE).catch(sentenceOf);
      if (typeof found === "string") return { rows: [], next: null, notes: [{ text: found, isWarning: true }] };
      const { rows, isFromFiles, stop, border } = found;
      const { before } = reader;
      const last = rows.length > LOG_PAGE ? rows[LOG_PAGE - 1] : undefined;
      const next = last ? log.placeOf(last) : (stop?.at ?? border);
      const facts = {
        sort: view.sort,
        isFromFiles,
        isAtBorder: border !== null,
        stopped: stop?.at.at.slice(0, 10) ?? null,
        unreadable: stop?.unreadable ?? null,
      };
      return {
        rows: rows.slice(0, LOG_PAGE),
        next: next ? cursorOf(next) : null,
        notes: [
          ...archiveNotes({ ...facts, before }),
          ...(isBefore(days, daysBefore(scope.now().getTime(), scope.log_days)) ? [retentionNote(scope.log_days)] : []),
        ],
      };
    },

    /**
     * The same entries as CSV in UTF-8, from the first, at most MOST_EXPORTED; a last line says where it was cut. Times are in
     * UTC and in the organization's zone. Refuses with `forbidden`; a later failure breaks the stream off.
     */
    csv: async (query: unknown): Promise<ReadableStream<Uint8Array>> => {
      permit(scope.user, log.may);
      const view = parse(log.view, query);
      const clocks = await zone();
      const days = daysOf(view, clocks);
      // One more than is written, which tells whether anything follows.
      const readOn = (after?: Place) =>
        read(view, { ...days, sort: view.sort, after, limit: EXPORTED_AT_ONCE + 1 }, A_PIECE_OF_AN_EXPORT);
      const zoned = zonedTimes(clocks);
      const line = (row: Row) => {
        const { at } = log.placeOf(row);
        return csvLine([at, zoned(at), ...Object.values(log.columns).map((cell) => cell(row))]);
      };
      const header = BYTE_ORDER_MARK + csvLine(["Time (UTC)", `Time (${clocks})`, ...Object.keys(log.columns)]);
      return streamed(header, line, readOn, log.placeOf);
    },
  };
}

/** The sentence of an archive that does not answer, for a screen that goes on without it. */
function sentenceOf(caught: unknown): string {
  if (isRefusal(caught) && caught.code === "unavailable") return caught.detail;
  throw caught;
}

/** The instants from the first day to the last, both included, in the zone, where a day may have 23 hours. */
function daysOf({ from, to }: LogView, zone: string): Pick<Piece, "since" | "until"> {
  const midnight = (day: string) => {
    const instant = fromLocalInput({ date: day, time: "00:00" }, zone);
    return instant === null ? undefined : toIso(instant);
  };
  return { since: from && midnight(from), until: to && midnight(dateAfter(to, 1)) };
}

/** Whether what is asked for begins, or without a beginning ends, before a day (in UTC). */
function isBefore({ since, until }: Pick<Piece, "since" | "until">, day: string): boolean {
  const asked = since ?? until;
  return asked !== undefined && asked < day;
}

/**
 * Streams chunks on demand, so that a long log is never in memory; reads the first one before the answer begins. A day
 * whose file cannot be read has a line that says so.
 */
async function streamed<Row>(
  header: string,
  line: (row: Row) => string,
  read: (after?: Place) => Promise<Read<Row>>,
  placeOf: (row: Row) => Place,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let piece = await read();
  let text = header;
  let [count, pauses] = [0, 0];
  return new ReadableStream({
    pull: async (controller) => {
      const { stop, border } = piece;
      const rows = piece.rows.slice(0, EXPORTED_AT_ONCE);
      count += rows.length;
      pauses += stop ? 1 : 0;
      const note = stop?.unreadable ? csvLine([unreadableDay(stop.unreadable)]) : "";
      const last = piece.rows.length > rows.length ? rows.at(-1) : undefined;
      const next = last ? placeOf(last) : (stop?.at ?? border);
      const isTooFar = (stop !== null && pauses >= MOST_PAUSES) || count >= MOST_EXPORTED;
      const end = next && isTooFar ? csvLine([`The export ends at ${next.at}: please choose fewer days`]) : "";
      controller.enqueue(encoder.encode(text + rows.map(line).join("") + note + end));
      text = "";
      if (!next || isTooFar) return controller.close();
      piece = await read(next);
    },
  });
}
