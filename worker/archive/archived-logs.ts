import type { ArchivedLog } from "#db/archive";
import { audit_logs } from "#db/schema";
import type { AuditView, EventView, HistoryView } from "#domain/lists/log-query";
import { auditLog, deviceEvent, schedulerEvent } from "#domain/records/records";
import type { AuditLog, DeviceEvent, SchedulerEvent } from "#domain/records/records";
import type { Raw, Wanted } from "#worker/archive/read-log";

/** How a screen reads a log's day files: the same filters and records as its repository has in SQL. */
export type InFiles<View, Row> = {
  log: ArchivedLog;
  /** `depts` are the departments to show besides organization-wide rows, null for all. */
  wanted: (view: View, depts: string[] | null) => Wanted;
  record: (raw: Raw) => Row;
};

export const EVENTS_IN_FILES: InFiles<EventView, SchedulerEvent> = {
  log: "scheduler-events",
  wanted: ({ q, device, source, action, result }, depts) =>
    wantedOf({ device_id: device, source, action, result }, depts, q, ["device_name", "note"]),
  record: (raw) => schedulerEvent.parse(raw),
};

export const HISTORY_IN_FILES: InFiles<HistoryView, DeviceEvent> = {
  log: "device-events",
  wanted: ({ q, area, device, action, result }, depts) =>
    wantedOf({ area_id: area, device_id: device, action, result }, depts, q, [
      "device_name",
      "area_name",
      "hub_name",
      "schedule_title",
      "response_snippet",
    ]),
  record: (raw) => deviceEvent.parse(raw),
};

export const AUDIT_IN_FILES: InFiles<AuditView, AuditLog> = {
  log: "audit-log",
  wanted: ({ q, resource }) =>
    wantedOf({ resource_type: resource }, null, q, ["actor_email", "action", "resource_type", "details"]),
  record: (raw) => {
    const { details } = raw;
    return auditLog.parse({
      ...raw,
      details: typeof details === "string" ? audit_logs.details.mapFromDriverValue(details) : null,
    });
  },
};

function wantedOf(
  equal: Record<string, string | undefined>,
  depts: string[] | null,
  words: readonly string[],
  texts: readonly string[],
): Wanted {
  const values = Object.entries(equal).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const needles = values.map(([, value]) => JSON.stringify(value));
  return {
    mayMatch: (line) => needles.every((needle) => line.includes(needle)),
    matches: (raw) =>
      values.every(([name, value]) => raw[name] === value) &&
      isVisible(raw["dept_id"], depts) &&
      hasWords(raw, words, texts),
  };
}

function isVisible(dept_id: Raw[string] | undefined, depts: string[] | null): boolean {
  return depts === null || dept_id === null || (typeof dept_id === "string" && depts.includes(dept_id));
}

/** As SQLite does it, which lowers A to Z only. */
function hasWords(raw: Raw, words: readonly string[], texts: readonly string[]): boolean {
  if (words.length === 0) return true;
  const whole = texts.map((name) => raw[name] ?? "").join(" ");
  const lowered = whole.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return words.every((word) => lowered.includes(word));
}
