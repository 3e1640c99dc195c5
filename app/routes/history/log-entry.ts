import { grouped } from "#domain/counted";
import { isObject } from "#domain/fields/json";
import type { AuditLog } from "#domain/records/records";

/** An audit entry with its details as text. */
export type LogEntry = Omit<AuditLog, "details"> & { details: string | null };

/** Of a longer list, as a calendar's dates, so many are shown: fifty entries of all of them are more than a page can be. */
const MOST_SHOWN = 100;

/** Formats the details as JSON; a text stays as it is. */
export function logEntry({ details, ...log }: AuditLog): LogEntry {
  return { ...log, details: details === null ? null : typeof details === "string" ? details : json(details) };
}

function json(details: Record<string, unknown>): string {
  const { before, after } = details;
  return JSON.stringify({ ...details, ...told("before", before, after), ...told("after", after, before) }, null, 2);
}

/** One side of a change, its long lists without what the other side has, too. */
function told(name: string, side: unknown, other: unknown): Record<string, unknown> {
  if (!isObject(side)) return {};
  const lists = isObject(other) ? other : {};
  return { [name]: Object.fromEntries(Object.entries(side).map(([key, kept]) => [key, shortened(kept, lists[key])])) };
}

function shortened(list: unknown, other: unknown): unknown {
  if (!Array.isArray(list) || list.length <= MOST_SHOWN) return list;
  const known = new Set(Array.isArray(other) ? other.map((each) => JSON.stringify(each)) : []);
  const shown = list.filter((each) => !known.has(JSON.stringify(each))).slice(0, MOST_SHOWN);
  return [...shown, `and ${grouped(list.length - shown.length)} more, which the export has`];
}
