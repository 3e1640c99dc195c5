import { z } from "zod";
import { MAX_NAME } from "#domain/fields/limits";
import {
  AREA_TYPES,
  CONNECTION_MODES,
  DEVICE_STATES,
  HUB_STATUSES,
  SCHEDULE_STATUSES,
  WORKORDER_PRIORITIES,
  WORKORDER_STATUSES,
} from "#domain/enums";

/** The rows on one page of a list's screen; the API's lists are complete. */
export const PAGE_SIZE = 60;

/** One page of a list: `total` counts the matches, `all` the rows without search and filters. */
export type Page<Row> = { rows: Row[]; total: number; all: number; page: number; pages: number };

/** An option of a filter or a form. */
export type Choice = { id: string; name: string };

/** A page and the areas to filter its list by. */
export type PlacedPage<Row> = Page<Row> & { areas: Choice[] };

const MOST_WORDS = 8;

/** The search, word by word; ignores the case of A to Z, as SQLite does. */
export const words = z
  .string()
  .max(200)
  .transform((text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).split(/\s+/))
  .transform((all) => all.filter(Boolean).slice(0, MOST_WORDS))
  .catch([]);

/** One of the values, or undefined. */
export function maybe<const Words extends readonly [string, ...string[]]>(these: Words) {
  return z.enum(these).optional().catch(undefined);
}

/** An id, or undefined. */
export const maybeId = z.string().min(1).max(MAX_NAME).optional().catch(undefined);
const list = { q: words, page: z.coerce.number().int().min(1).max(1_000_000).catch(1) };

/** A list that is only paged. */
export const listQuery = z.object(list);

/** One of the values; the first if missing or unknown. */
function sort<const Words extends readonly [string, ...string[]]>(these: Words) {
  return z.enum(these).catch(these[0]);
}

export const AREA_SORTS = ["name", "newest", "type"] as const;
export const HUB_SORTS = ["name", "area", "status", "seen"] as const;
export const DEVICE_SORTS = ["name", "area", "state", "updated"] as const;
export const SCHEDULE_SORTS = ["next", "latest", "title", "device"] as const;
export const WORKORDER_SORTS = ["newest", "oldest", "priority", "title"] as const;

// A screen's query string. Links get outdated or are typed by hand, so unknown values are ignored.

export const areaQuery = z.object({
  ...list,
  type: maybe(AREA_TYPES),
  status: maybe(["active", "inactive"]),
  sort: sort(AREA_SORTS),
});
export type AreaQuery = z.infer<typeof areaQuery>;

export const hubQuery = z.object({
  ...list,
  area: maybeId,
  status: maybe(HUB_STATUSES),
  mode: maybe(CONNECTION_MODES),
  sort: sort(HUB_SORTS),
});
export type HubQuery = z.infer<typeof hubQuery>;

export const deviceQuery = z.object({
  ...list,
  area: maybeId,
  type: maybe(AREA_TYPES),
  dept: maybeId,
  state: maybe(DEVICE_STATES),
  show: maybe(["problems"]),
  sort: sort(DEVICE_SORTS),
});
export type DeviceQuery = z.infer<typeof deviceQuery>;

export const scheduleQuery = z.object({
  ...list,
  area: maybeId,
  device: maybeId,
  dept: maybeId,
  status: maybe(SCHEDULE_STATUSES),
  on: z.iso.date().optional().catch(undefined),
  sort: sort(SCHEDULE_SORTS),
});
export type ScheduleQuery = z.infer<typeof scheduleQuery>;

export const workorderQuery = z.object({
  ...list,
  area: maybeId,
  dept: maybeId,
  status: maybe(WORKORDER_STATUSES),
  priority: maybe(WORKORDER_PRIORITIES),
  sort: sort(WORKORDER_SORTS),
});
export type WorkorderQuery = z.infer<typeof workorderQuery>;
