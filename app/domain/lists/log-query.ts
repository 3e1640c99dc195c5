import { z } from "zod";
import type { ArchiveNote } from "./archive";
import { instant, noInstant, requiredId } from "#domain/fields/fields";
import { maybe, maybeId, words } from "./list-query";
import {
  COMMAND_SOURCES,
  DEVICE_EVENT_ACTIONS,
  DEVICE_EVENT_RESULTS,
  SCHEDULER_RESULTS,
  SWITCH_ACTIONS,
} from "#domain/enums";

const LIMIT = "Limit must be a whole number from 1 to 1000";
const SINCE = "Since must be an ISO 8601 date and time";

/** The number of latest entries that an API call wants. */
const limit = z
  .string(LIMIT)
  .regex(/^\d{1,4}$/, LIMIT)
  .transform(Number)
  .pipe(z.int(LIMIT).min(1, LIMIT).max(1000, LIMIT))
  .default(100);

const since = z.union([instant(SINCE), z.iso.date().transform((day) => `${day}T00:00:00.000Z`)], {
  error: noInstant(SINCE),
});

const DAY = "Day must be a day, YYYY-MM-DD";
const CURSOR = "Cursor must be the time and id of an entry, 2026-08-01T10:00:00.000Z~id";
const isPaired = ({ day, cursor }: { day?: string | undefined; cursor?: Place | undefined }) =>
  cursor === undefined || day !== undefined;
const UNPAIRED = { message: "A cursor needs a day", path: ["cursor"] };

const cursorSent = z
  .string(CURSOR)
  .max(200, CURSOR)
  .transform(placeOf)
  .pipe(z.object({ at: z.iso.datetime(CURSOR), id: z.string().min(1, CURSOR) }))
  .optional();

/** The latest entries; those after a page that one has, by the `cursor` of its last one. */
export const logQuery = z.object({ limit, cursor: cursorSent });

/** Entries of one day in the organization's zone, the only way to those in the archive; `cursor` follows the page before. */
const dayQuery = { limit, day: z.iso.date(DAY).optional(), cursor: cursorSent };

export const auditQuery = z.object(dayQuery).refine(isPaired, UNPAIRED);

export const schedulerEventQuery = z
  .object({
    ...dayQuery,
    device_id: requiredId("Device must be an id").optional(),
    since: since.optional(),
  })
  .refine(isPaired, UNPAIRED);

export const historyQuery = z
  .object({
    ...dayQuery,
    device_id: requiredId("Device must be an id").optional(),
    area_id: requiredId("Area must be an id").optional(),
  })
  .refine(isPaired, UNPAIRED);

export type LogQuery = z.infer<typeof logQuery>;
export type SchedulerEventQuery = z.infer<typeof schedulerEventQuery>;
export type HistoryQuery = z.infer<typeof historyQuery>;

/** The most entries of an export, read a thousand at a time, because a worker's request is limited and a log is not. */
export const MOST_EXPORTED = 50_000;

export const LOG_SORTS = ["newest", "oldest"] as const;

/** An entry's place in its log. The next page follows it, however many entries were added since. */
export type Place = { at: string; id: string };

/** Entries of a log, the `cursor` of the next page, null on the last, and what is to be said of the archive. */
export type LogPage<Row> = { rows: Row[]; next: string | null; notes: ArchiveNote[] };

const day = z.iso.date().optional().catch(undefined);
const cursor = z
  .string()
  .max(200)
  .transform(placeOf)
  .pipe(z.object({ at: z.iso.datetime(), id: z.string().min(1) }))
  .optional()
  .catch(undefined);

/** From and to are days in the organization's zone, both included. */
const log = { q: words, from: day, to: day, cursor, sort: z.enum(LOG_SORTS).catch("newest") };

// A log screen's query string. Unknown values are ignored, as in lists.

export const eventView = z.object({
  ...log,
  source: maybe(COMMAND_SOURCES),
  action: maybe(SWITCH_ACTIONS),
  result: maybe(SCHEDULER_RESULTS),
});
/** The API also asks by device. */
export type EventView = z.infer<typeof eventView> & { device?: string | undefined };

export const historyView = z.object({
  ...log,
  area: maybeId,
  device: maybeId,
  action: maybe(DEVICE_EVENT_ACTIONS),
  result: maybe(DEVICE_EVENT_RESULTS),
});
export type HistoryView = z.infer<typeof historyView>;

export const auditView = z.object({ ...log, resource: maybeId });
export type AuditView = z.infer<typeof auditView>;

/** What a view may look for that no index finds: words, an action, a result, a source or a kind of record. */
export type Sought = { q: string[] } & Partial<Record<"action" | "result" | "source" | "resource", string>>;

/** Whether a view looks for any of that. */
export function isSearch(view: Sought): boolean {
  const { q, action, result, source, resource } = view;
  return q.length > 0 || [action, result, source, resource].some((word) => word !== undefined);
}

/** The common parameters of all logs. */
export type LogView = { from?: string; to?: string; cursor?: Place; sort: (typeof LOG_SORTS)[number] };

/** A place as a query parameter; `placeOf` reads it back. */
export function cursorOf({ at, id }: Place): string {
  return `${at}~${id}`;
}

function placeOf(text: string): Place {
  const [at = "", ...rest] = text.split("~");
  return { at, id: rest.join("~") };
}
