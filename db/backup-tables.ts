/**
 * What a restore does with a table's rows:
 * - `replace`: the organization's rows go, the backup's come
 * - `keep`: what is there stays as it is, what is missing comes back: people, and what happened
 */
type Restored = "replace" | "keep";

/** Where the organization's rows are found: by a column of theirs, or by the person that they are of. */
type Scope = { column: "id" | "org_id" } | { person: "id" | "user_id" };

export type BackedUp = { table: string; scope: Scope; restored: Restored; isLog?: true };

const own = { column: "org_id" } as const;

/** The tables of D1 that a backup has, each after those that its rows name. */
export const IN_BACKUPS: readonly BackedUp[] = [
  { table: "organizations", scope: { column: "id" }, restored: "replace" },
  { table: "users", scope: { person: "id" }, restored: "keep" },
  { table: "second_factors", scope: { person: "user_id" }, restored: "keep" },
  { table: "recovery_codes", scope: { person: "user_id" }, restored: "keep" },
  { table: "org_memberships", scope: own, restored: "keep" },
  { table: "message_choices", scope: own, restored: "keep" },
  { table: "departments", scope: own, restored: "replace" },
  { table: "dept_memberships", scope: own, restored: "keep" },
  { table: "areas", scope: own, restored: "replace" },
  { table: "agents", scope: own, restored: "replace" },
  { table: "hubs", scope: own, restored: "replace" },
  { table: "devices", scope: own, restored: "replace" },
  { table: "device_groups", scope: own, restored: "replace" },
  { table: "group_devices", scope: own, restored: "replace" },
  { table: "calendars", scope: own, restored: "replace" },
  { table: "schedules", scope: own, restored: "replace" },
  { table: "policies", scope: own, restored: "replace" },
  { table: "permits", scope: own, restored: "replace" },
  { table: "closures", scope: own, restored: "replace" },
  { table: "settings", scope: own, restored: "replace" },
  { table: "webhooks", scope: own, restored: "replace" },
  { table: "alarms", scope: own, restored: "keep" },
  { table: "workorders", scope: own, restored: "replace" },
  { table: "notifications", scope: own, restored: "keep", isLog: true },
  { table: "device_events", scope: own, restored: "keep", isLog: true },
  { table: "scheduler_events", scope: own, restored: "keep", isLog: true },
  { table: "state_changes", scope: own, restored: "keep", isLog: true },
  { table: "connectivity_logs", scope: own, restored: "keep", isLog: true },
  { table: "audit_logs", scope: own, restored: "keep", isLog: true },
];

/** The tables of D1 that a backup does not have, and why. */
export const NOT_IN_BACKUPS: Readonly<Record<string, string>> = {
  sessions: "who was signed in then signs in again",
  login_attempts: "they count for a day, and belong to no organization",
  one_time_codes: "a code that was redeemed since would open the account again",
  idempotency_keys: "they name records of which a restore knows nothing, and count for a day",
  imports: "a check says what a file changes in the city as it was when it was checked",
  import_rows: "they belong to an import",
  changes: "triggers write them as the rows come back",
  webhook_deliveries: "they count for a month, and a message about that night is not sent days later",
  archive_health: "the next run of the archive writes it anew",
  scheduler_health: "it says how the scheduler was a moment ago",
  restores: "they are a backup on its way back",
  restore_rows: "they belong to a restore",
};
