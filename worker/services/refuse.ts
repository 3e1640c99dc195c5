import { Refusal } from "#domain/errors";

/** The record, or 404: one that another organization has, or that is not visible, is told as one that does not exist. */
export function found<Found>(record: Found | undefined, noun: string): Found {
  if (record === undefined) throw new Refusal("not_found", `${noun} not found`);
  return record;
}

/** A refusal (422) for one field, as a whole sentence. */
export function invalid(field: string, detail: string): Refusal {
  return new Refusal("invalid", detail, { fields: { [field]: detail } });
}

/** Refuses with `forbidden` what the role may do, but not with this record. */
export function permitRecord(allowed: boolean): void {
  if (!allowed) throw new Refusal("forbidden", "Permission denied");
}
