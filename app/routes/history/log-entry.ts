import type { AuditLog } from "#domain/records";

/** With its details ready to be read. */
export type LogEntry = Omit<AuditLog, "details"> & { details: string | null };

/** Spec 2: the details as formatted JSON. What was not written as JSON is shown as it is. */
export function logEntry({ details, ...log }: AuditLog): LogEntry {
  return { ...log, details: details === null ? null : typeof details === "string" ? details : json(details) };
}

function json(details: unknown) {
  return JSON.stringify(details, null, 2);
}
