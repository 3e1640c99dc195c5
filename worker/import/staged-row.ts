import { compare } from "#domain/compare";
import type { ImportAction, ImportKind } from "#domain/enums";
import type { Location } from "#domain/records/records";
import { COLUMNS, columnOfField, type ColumnKey } from "./columns";

type Versioned = { id: string; version: number; name: string };

/** What a row will change; `details` are the audit entry's, and what is written is read from their `after`. */
export type StagedRow = {
  row: number;
  kind: ImportKind;
  action: ImportAction;
  record_id: string;
  /** The version that was read; null for a new record. */
  read_version: number | null;
  name: string;
  /** The columns that an update changes, as the file calls them. */
  fields: string[];
  details: { before?: Record<string, unknown>; after: Record<string, unknown> };
};

export function created<R extends Versioned>(
  row: number,
  kind: ImportKind,
  record: R,
  keys: (keyof R & string)[],
): StagedRow {
  const after = Object.fromEntries(keys.map((key) => [key, record[key]]));
  const { id: record_id, name } = record;
  return { row, kind, action: "create", record_id, read_version: null, name, fields: [], details: { after } };
}

/** Null where the row says what is stored already. */
export function updated<R extends Versioned>(
  row: number,
  kind: ImportKind,
  { before, after }: { before: R; after: R },
  keys: (keyof R & string)[],
): StagedRow | null {
  const fields = changedFields(before, after, keys);
  if (fields.length === 0) return null;
  const { id: record_id, version: read_version, name } = after;
  const details = { before: { ...before }, after: { ...after } };
  const labels = fields.flatMap((field) => labelsOf(field, details));
  return { row, kind, action: "update", record_id, read_version, name, fields: labels, details };
}

/** The keys in which the two differ. */
export function changedFields<R>(before: R, after: R, keys: (keyof R & string)[]): string[] {
  return keys.filter((key) => canonical(before[key]) !== canonical(after[key]));
}

/** The parts of an object in one order, whichever they were stored in. */
function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => compare(a, b)));
}

/** The columns of what differs in a field: a place is an address and a position, and says which of them changes. */
function labelsOf(field: string, { before, after }: { before: object; after: object }): string[] {
  const column: ColumnKey | undefined = columnOfField(field);
  if (field !== "location") return [column ? COLUMNS[column].label : field];
  const [was, is] = [placeOf(before), placeOf(after)];
  return PLACE.filter((part) => was[part] !== is[part]).map((part) => COLUMNS[part].label);
}

const PLACE = ["address", "lat", "lon"] as const;

function placeOf(record: { location?: Location | null }): Partial<Location> {
  return record.location ?? {};
}
