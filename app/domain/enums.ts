/**
 * The closed lists of the contract. Each is one `as const` list and its type, so that a badge, a label
 * or a colour is a `Record` over it and the compiler counts the cases.
 */
export const AREA_TYPES = ["park", "field", "river", "path", "other"] as const;
export type AreaType = (typeof AREA_TYPES)[number];

export const CONNECTION_MODES = ["local", "cloud", "hybrid"] as const;
export type ConnectionMode = (typeof CONNECTION_MODES)[number];

export const HUB_STATUSES = ["online", "offline", "unknown", "needs attention"] as const;
export type HubStatus = (typeof HUB_STATUSES)[number];

export const DEVICE_STATES = ["on", "off", "unknown"] as const;
export type DeviceState = (typeof DEVICE_STATES)[number];

export const SWITCH_ACTIONS = ["on", "off"] as const;
export type SwitchAction = (typeof SWITCH_ACTIONS)[number];

/** What is stored; a schedule whose last occurrence has ended reads as `done`. */
export const STORED_SCHEDULE_STATUSES = ["scheduled", "canceled"] as const;
export type StoredScheduleStatus = (typeof STORED_SCHEDULE_STATUSES)[number];
export const SCHEDULE_STATUSES = ["scheduled", "canceled", "done"] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];

export const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const WORKORDER_STATUSES = ["open", "in_progress", "completed", "canceled"] as const;
export type WorkorderStatus = (typeof WORKORDER_STATUSES)[number];
export const WORKORDER_PRIORITIES = ["low", "medium", "high", "urgent"] as const;
export type WorkorderPriority = (typeof WORKORDER_PRIORITIES)[number];

export const ROLES = ["admin", "manager", "employee"] as const;
export type Role = (typeof ROLES)[number];
export const ORG_MEMBERSHIP_ROLES = ["org_admin", "admin", "manager", "employee"] as const;
export type OrgMembershipRole = (typeof ORG_MEMBERSHIP_ROLES)[number];
export const ORG_ROLES = ["org_admin", "org_member"] as const;
export const DEPT_ROLES = ["dept_admin", "dept_staff", "dept_auditor"] as const;
export type DeptRole = (typeof DEPT_ROLES)[number];

export const PROVIDER_MODES = ["mock", "cloud", "local", "hybrid"] as const;
export type ProviderMode = (typeof PROVIDER_MODES)[number];
/** The way a single call went; hybrid is a choice between two of them. */
export const PROVIDERS = ["mock", "cloud", "local"] as const;
export type ProviderName = (typeof PROVIDERS)[number];

export const TIMEZONES = [
  "America/Los_Angeles",
  "America/Denver",
  "America/Chicago",
  "America/New_York",
  "UTC",
] as const;
export type Timezone = (typeof TIMEZONES)[number];

export const COMMAND_SOURCES = ["scheduler", "watchdog", "manual"] as const;
export type CommandSource = (typeof COMMAND_SOURCES)[number];
export const SCHEDULER_RESULTS = ["ok", "retry", "fail"] as const;
export type SchedulerResult = (typeof SCHEDULER_RESULTS)[number];

/**
 * What a scheduler event tells of: an attempt's outcome, or why there was none. A press `replaced` by a newer one, a switch
 * that was `dropped` because nothing wants it any more, a window that a guardrail or the longest time on `cut`, that
 * nothing ran for (`missed`) or that was never lit (`skipped`), an ON that a guardrail `refused`, a light found lit from
 * outside (`external`), and a `fault` of the engine's own.
 */
export const EVENT_CAUSES = [
  "attempt",
  "replaced",
  "dropped",
  "cut",
  "missed",
  "skipped",
  "refused",
  "external",
  "fault",
] as const;
export type EventCause = (typeof EVENT_CAUSES)[number];

export const DEVICE_EVENT_ACTIONS = ["on", "off", "status_check", "test"] as const;
export type DeviceEventAction = (typeof DEVICE_EVENT_ACTIONS)[number];
export const DEVICE_EVENT_RESULTS = ["success", "failure"] as const;
export type DeviceEventResult = (typeof DEVICE_EVENT_RESULTS)[number];

export const NOTIFICATION_STATUSES = ["pending", "sent", "not_sent", "failed"] as const;

export const CONNECTIVITY_ACTIONS = ["ping_hub", "status_check", "on", "off"] as const;
export type ConnectivityAction = (typeof CONNECTIVITY_ACTIONS)[number];

/** What an audit entry can be about, in the order in which the audit log offers them as a filter. */
export const AUDIT_RESOURCES = [
  "area",
  "hub",
  "device",
  "schedule",
  "workorder",
  "department",
  "department_member",
  "user",
  "session",
  "settings",
  "import",
] as const;
export type AuditResource = (typeof AUDIT_RESOURCES)[number];

/** What a row of an import can be about; also the order in which they are applied. */
export const IMPORT_KINDS = ["area", "hub", "device"] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];
export const IMPORT_ACTIONS = ["create", "update"] as const;
export type ImportAction = (typeof IMPORT_ACTIONS)[number];

/** An import is checked first; `ready` waits for the person, and only then is it applied. `failed` has changed nothing. */
export const IMPORT_STATES = ["checking", "ready", "applying", "done", "failed"] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** In a filter by department: what belongs to none. */
export const ORG_WIDE = "org-wide";

/** How many entries of a log a screen shows at a time. */
export const LOG_PAGE = 100;
