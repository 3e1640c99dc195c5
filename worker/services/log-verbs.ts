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

/** What differs between the logs; paging and export are the same for all. */
type Log<View extends LogView, Row> = {
  may: Capability;
  view: z.ZodType<View>;
  /** Reads a piece, as far as the person may see it. */
  read: (view: View, piece: Piece) => Promise<Row[]>;
  placeOf: (row: Row) => Place;
  /** What an export tells of an entry besides its time. */
  columns: Record<string, (row: Row) => string | number | null>;
};

/** Entries that an export reads in one round trip. */
const EXPORTED_AT_ONCE = 1_000;
/** Tells a spreadsheet that the text is UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

export function logVerbs<View extends LogView, Row>(scope: Scope, log: Log<View, Row>) {
  const zone = async () => (await settingsService(scope).find()).APP_TIMEZONE;

  return {
    /** The page that a screen's query string asks for. Refuses with `forbidden`. */
    page: async (query: unknown): Promise<LogPage<Row>> => {
      permit(scope.user, log.may);
      const view = parse(log.view, query);
      const days = view.from || view.to ? daysOf(view, await zone()) : {};
      const rows = await log.read(view, { ...days, sort: view.sort, after: view.cursor, limit: LOG_PAGE + 1 });
      const last = rows.length > LOG_PAGE ? rows[LOG_PAGE - 1] : undefined;
      return { rows: rows.slice(0, LOG_PAGE), next: last ? cursorOf(log.placeOf(last)) : null };
    },

    /**
     * The same view as CSV in UTF-8, from its beginning and MOST_EXPORTED entries at most. Times are in UTC and by the
     * organization's clocks. Refuses with `forbidden`; what fails later breaks the stream off.
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

/** Both days included, by the clocks of the zone: a day may have 23 hours. */
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

/** Piece by piece as it is taken, so that a long log is never in memory; the first is read before the answer begins. */
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
