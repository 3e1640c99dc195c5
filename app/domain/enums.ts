/**
 * The contract's closed lists. Each is one `as const` list and its type, so that badges, labels and colors are `Record`s
 * and the compiler finds missing cases.
 */
export const AREA_TYPES = ["park", "field", "river", "path", "other"] as const;
export type AreaType = (typeof AREA_TYPES)[number];

export const CONNECTION_MODES = ["local", "cloud", "hybrid"] as const;
export type ConnectionMode = (typeof CONNECTION_MODES)[number];

export const HUB_STATUSES = ["online", "offline", "unknown", "needs attention"] as const;
export type HubStatus = (typeof HUB_STATUSES)[number];

/** Of an on-site agent: it has never been connected, it is, or it no longer is. */
export const AGENT_STATUSES = ["never", "online", "offline"] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

export const DEVICE_STATES = ["on", "off", "unknown"] as const;
export type DeviceState = (typeof DEVICE_STATES)[number];

export const SWITCH_ACTIONS = ["on", "off"] as const;
export type SwitchAction = (typeof SWITCH_ACTIONS)[number];

/** What a person may ask of a light; `auto` is back to its schedule. */
export const TOGGLE_ACTIONS = [...SWITCH_ACTIONS, "auto"] as const;
export type ToggleAction = (typeof TOGGLE_ACTIONS)[number];

/** The stored status; a schedule whose last occurrence has ended is shown as `done`. */
export const STORED_SCHEDULE_STATUSES = ["scheduled", "canceled"] as const;
export const SCHEDULE_STATUSES = ["scheduled", "canceled", "done"] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];

export const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const WORKORDER_STATUSES = ["open", "in_progress", "completed", "canceled"] as const;
export type WorkorderStatus = (typeof WORKORDER_STATUSES)[number];
/** Of which something is still to be done. */
export const OPEN_WORKORDERS: readonly WorkorderStatus[] = ["open", "in_progress"];
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
/** The transport of a single call; hybrid chooses between two of them. */
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
 * The kinds of scheduler events: an attempt, or why there was none. A toggle `replaced` by a newer one, a command `dropped`
 * because it is no longer wanted, a window `cut` by a guardrail or max on, `missed` while the server was down or `skipped`
 * without being lit, an ON `refused` by a guardrail, an `external` light, and a `fault` of the engine.
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

/** Who carries our e-mail; `off` sends none. */
export const EMAIL_SERVICES = ["off", "postmark", "resend", "sendgrid"] as const;
export type EmailService = (typeof EMAIL_SERVICES)[number];

/** How a message reaches a person. */
export const MESSAGE_CHANNELS = ["sms", "email"] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];

/** What a webhook is told of; `test` is sent by a person. */
export const WEBHOOK_TYPES = ["alarm.opened", "alarm.over", "test"] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];
/** `pending` is tried again. */
export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const NOTIFICATION_STATUSES = ["pending", "sent", "not_sent", "failed"] as const;

/**
 * What an alarm can be about: a light that does not obey, or is lit without a reason; a hub that is away, or refuses
 * access; an on-site agent that is away, or refuses its plan; the cloud that is silent, or refuses our account; the account's limit of calls; records that the database refuses; a
 * scheduler that serves what is due too late, or does not answer; a webhook that takes no message.
 */
export const ALARM_KINDS = [
  "device_failed",
  "light_on",
  "hub_offline",
  "hub_refused",
  "agent_offline",
  "plan_refused",
  "cloud_offline",
  "cloud_refused",
  "account_throttled",
  "records_refused",
  "scheduler_late",
  "webhook_failing",
] as const;
export type AlarmKind = (typeof ALARM_KINDS)[number];

/** Nobody has seen to it yet; somebody has; it is well again. */
export const ALARM_STATES = ["open", "acknowledged", "over"] as const;
export type AlarmState = (typeof ALARM_STATES)[number];

export const CONNECTIVITY_ACTIONS = ["ping_hub", "status_check", "on", "off"] as const;
export type ConnectivityAction = (typeof CONNECTIVITY_ACTIONS)[number];

/** The resources of audit entries, in the order of the audit log's filter. */
export const AUDIT_RESOURCES = [
  "area",
  "hub",
  "agent",
  "device",
  "group",
  "schedule",
  "policy",
  "permit",
  "closure",
  "calendar",
  "workorder",
  "alarm",
  "department",
  "department_member",
  "user",
  "session",
  "settings",
  "webhook",
  "message_choice",
  "import",
] as const;
export type AuditResource = (typeof AUDIT_RESOURCES)[number];

/** The kinds of import rows, in the order in which they are applied. */
export const IMPORT_KINDS = ["area", "hub", "device"] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];
export const IMPORT_ACTIONS = ["create", "update"] as const;
export type ImportAction = (typeof IMPORT_ACTIONS)[number];

/** An import is checked first and is `ready` until the person confirms it; then it is applied. `failed` changed nothing. */
export const IMPORT_STATES = ["checking", "ready", "applying", "done", "failed"] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** Where a policy holds: for areas of a type, for an area or for a group. */
export const POLICY_SCOPES = ["type", "area", "group"] as const;
export type PolicyScope = (typeof POLICY_SCOPES)[number];

/** What a calendar does to a schedule: its dates are left out, or are the only ones. */
export const CALENDAR_RULES = ["skip", "only"] as const;
export type CalendarRule = (typeof CALENDAR_RULES)[number];

/** Why a light is wanted on or off, by the rungs of `resolve`. */
export const REASONS = [
  "emergency",
  "curfew",
  "blackout",
  "closure",
  "hold_off",
  "max_on",
  "claim",
  "hold_on",
  "manual_on",
  "pending_off",
  "external",
  "idle",
] as const;

/** What the log of states tells of a light: what was wanted of it, or what a reading said. */
export const STATE_KINDS = ["desired", "reported"] as const;
export type StateKind = (typeof STATE_KINDS)[number];

/** In a department filter: organization-wide records. */
export const ORG_WIDE = "org-wide";

/** How many entries of a log a screen shows at a time. */
export const LOG_PAGE = 100;
