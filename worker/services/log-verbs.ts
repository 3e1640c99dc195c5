import type { z } from "zod";
import type { Piece } from "#db/log";
import { csvLine } from "#domain/csv";
import { fromLocalInput } from "#domain/display";
import { cursorOf, MOST_EXPORTED, type LogPage, type LogView, type Place } from "#domain/log-query";
import { LOG_PAGE } from "#domain/enums";
import type { Capability } from "#domain/permissions";
import { parse } from "#worker/services/parse";
import { permit, type Scope } from "#worker/services/scope";
import { settingsService } from "#worker/services/settings";
import { zonedTimes } from "#worker/services/zoned-time";

/** The differences between the logs; paging and export are the same for all. */
type Log<View extends LogView, Row> = {
  may: Capability;
  view: z.ZodType<View>;
  /** Reads the section's entries that the person may see. */
  read: (view: View, piece: Piece) => Promise<Row[]>;
  placeOf: (row: Row) => Place;
  /** An entry's columns in an export, besides its time. */
  columns: Record<string, (row: Row) => string | number | null>;
};

/** The entries that an export reads per round trip. */
const EXPORTED_AT_ONCE = 1_000;
/** The byte order mark, so that spreadsheets read UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

export function logVerbs<View extends LogView, Row>(scope: Scope, log: Log<View, Row>) {
  const zone = async () => (await settingsService(scope).find()).APP_TIMEZONE;

  return {
    /** The page for a screen's query string. Refuses with `forbidden`. */
    page: async (query: unknown): Promise<LogPage<Row>> => {
      permit(scope.user, log.may);
      const view = parse(log.view, query);
      const days = view.from || view.to ? daysOf(view, await zone()) : {};
      const rows = await log.read(view, { ...days, sort: view.sort, after: view.cursor, limit: LOG_PAGE + 1 });
      const last = rows.length > LOG_PAGE ? rows[LOG_PAGE - 1] : undefined;
      return { rows: rows.slice(0, LOG_PAGE), next: last ? cursorOf(log.placeOf(last)) : null };
    },

    /**
     * The same entries as CSV in UTF-8, from the first, at most MOST_EXPORTED. Times are in UTC and in the organization's
     * zone. Refuses with `forbidden`; a later failure breaks the stream off.
     */
    csv: async (query: unknown): Promise<ReadableStream<Uint8Array>> => {
      permit(scope.user, log.may);
      const view = parse(log.view, query);
      const clocks = await zone();
      const days = daysOf(view, clocks);
      const read = (after?: Place) => log.read(view, { ...days, sort: view.sort, after, limit: EXPORTED_AT_ONCE });
      const zoned = zonedTimes(clocks);
      const line = (row: Row) => {
        const { at } = log.placeOf(row);
        return csvLine([at, zoned(at), ...Object.values(log.columns).map((cell) => cell(row))]);
      };
      const header = BYTE_ORDER_MARK + csvLine(["Time (UTC)", `Time (${clocks})`, ...Object.keys(log.columns)]);
      return streamed(header, line, read, log.placeOf);
    },
  };
}

/** The instants from the first day to the last, both included, in the zone, where a day may have 23 hours. */
function daysOf({ from, to }: LogView, zone: string): Pick<Piece, "since" | "until"> {
  const midnight = (day: string) => {
    const instant = fromLocalInput({ date: day, time: "00:00" }, zone);
    return instant === null ? undefined : new Date(instant).toISOString();
  };
  return { since: from && midnight(from), until: to && midnight(dayAfter(to)) };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

/** Streams chunks on demand, so that a long log is never in memory; reads the first one before the answer begins. */
async function streamed<Row>(
  header: string,
  line: (row: Row) => string,
  read: (after?: Place) => Promise<Row[]>,
  placeOf: (row: Row) => Place,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let piece = await read();
  let text = header;
  let count = 0;
  return new ReadableStream({
    pull: async (controller) => {
      count += piece.length;
      controller.enqueue(encoder.encode(text + piece.map(line).join("")));
      text = "";
      const last = piece.length === EXPORTED_AT_ONCE && count < MOST_EXPORTED ? piece.at(-1) : undefined;
      if (!last) return controller.close();
      piece = await read(placeOf(last));
    },
  });
}
