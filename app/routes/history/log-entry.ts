import type { AuditLog } from "#domain/records/records";

/** An audit entry with its details as text. */
export type LogEntry = Omit<AuditLog, "details"> & { details: string | null };

/** Formats the details as JSON; a text stays as it is. */
export function logEntry({ details, ...log }: AuditLog): LogEntry {
  return { ...log, details: details === null ? null : typeof details === "string" ? details : json(details) };
}

function json(details: unknown) {
  return JSON.stringify(details, null, 2);
}
