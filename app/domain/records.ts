import type {
  AreaType,
  CommandSource,
  ConnectionMode,
  ConnectivityAction,
  DeptRole,
  DeviceEventAction,
  DeviceEventResult,
  DeviceState,
  HubStatus,
  OrgMembershipRole,
  ProviderMode,
  ProviderName,
  Role,
  ScheduleStatus,
  SchedulerResult,
  SwitchAction,
  Timezone,
  WorkorderPriority,
  WorkorderStatus,
} from "./words";

/** The records of spec 3 as every layer carries them. Instants are ISO 8601 in UTC; `version` is for If-Match. */
type Editable = { id: string; version: number; created_at: string; updated_at: string };

export type Location = { address?: string; lat?: number; lon?: number };

export type Area = Editable & {
  name: string;
  type: AreaType;
  location: Location | null;
  active: boolean;
};

export type AreaSummary = {
  id: string;
  name: string;
  type: AreaType;
  hubs_online: number;
  hubs_total: number;
  devices_on: number;
  devices_total: number;
  last_activity: string | null;
  next_event: string | null;
};

export type Hub = Editable & {
  name: string;
  area_id: string;
  area_name: string;
  ip_address: string | null;
  port: number;
  connection_mode: ConnectionMode;
  notes: string | null;
};

export type HubHealth = {
  hub_id: string;
  status: HubStatus;
  last_seen: string | null;
  rtt_ms: number | null;
};

export type Device = Editable & {
  name: string;
  area_id: string;
  area_name: string;
  hub_id: string | null;
  hub_name: string | null;
  dept_id: string | null;
  model: string | null;
  cloud_device_id: string | null;
  local_ref: string | null;
  on_payload: string | null;
  off_payload: string | null;
  notes: string | null;
  current_state: DeviceState;
  last_state_at: string | null;
};

export type Schedule = Editable & {
  title: string;
  area_id: string;
  area_name: string;
  device_id: string;
  device_name: string;
  description_short: string | null;
  start_at: string;
  end_at: string;
  rrule: string | null;
  timezone: string;
  status: ScheduleStatus;
  last_end_at: string | null;
};

export type Workorder = Editable & {
  title: string;
  description: string | null;
  status: WorkorderStatus;
  priority: WorkorderPriority;
  dept_id: string | null;
  device_id: string | null;
  area_id: string | null;
  assigned_to: string | null;
  created_by: string | null;
  completed_at: string | null;
};

export type Department = { id: string; org_id: string; name: string; version: number };

export type DepartmentMember = { id: string; user_id: string; email: string; role: DeptRole };

export type OrgMembership = { org_id: string; org_name: string; role: OrgMembershipRole };

export type DeptMembership = { dept_id: string; org_id: string; role: DeptRole };

/** The signed-in person, in the organization and department they have chosen (decision 7). */
export type User = {
  id: string;
  email: string;
  role: Role;
  org_role: "org_admin" | "org_member";
  current_org_id: string;
  current_dept_id: string | null;
  org_memberships: OrgMembership[];
  dept_memberships: DeptMembership[];
};

export type DeviceEvent = {
  id: string;
  created_at: string;
  device_id: string | null;
  area_id: string | null;
  device_name: string | null;
  area_name: string | null;
  hub_name: string | null;
  schedule_title: string | null;
  action: DeviceEventAction;
  result: DeviceEventResult;
  provider: ProviderName | null;
  response_snippet: string | null;
  http_status: number | null;
};

export type SchedulerEvent = {
  id: string;
  ts: string;
  device_id: string | null;
  device_name: string | null;
  source: CommandSource;
  action: SwitchAction;
  result: SchedulerResult;
  attempts: number;
  note: string | null;
};

export type ConnectivityLog = {
  id: string;
  created_at: string;
  action: ConnectivityAction;
  device_name: string | null;
  hub_name: string | null;
  provider: ProviderName | null;
  result: DeviceEventResult;
  response_snippet: string | null;
};

export type AuditLog = {
  id: string;
  created_at: string;
  actor_email: string | null;
  actor_role: string | null;
  action: string;
  resource_type: string;
  resource_id: string | null;
  details: Record<string, unknown> | string | null;
};

export type SystemSettings = {
  YOLINK_UAC_KEY: string;
  YOLINK_CLOUD_BASE: string;
  PROVIDER_MODE: ProviderMode;
  APP_TIMEZONE: Timezone;
  HUB_CHECK_INTERVAL_SEC: number;
  HUB_OFFLINE_ALERT_MIN: number;
};

export type GuardrailSettings = {
  /** 'HH:MM', or '' for none (decision 24). */
  HARD_CURFEW_OFF: string;
  MAX_ON_DURATION_MIN: number;
  /** 'HH:MM-HH:MM', or '' for none. */
  BLACKOUT_WINDOW: string;
  WATCHDOG_ENABLED: boolean;
  WATCHDOG_INTERVAL_SEC: number;
  YOLINK_VERIFY_DELAY_SEC: number;
  RETRY_BACKOFFS_SEC: number[];
  NOTIFY_ON_FAIL: boolean;
  /** E.164 numbers, comma-separated. */
  NOTIFY_SMS_TO: string;
};

/** What a toggle answers (decision 12, 19). */
export type ToggleResult = {
  success: boolean;
  action: SwitchAction;
  state: DeviceState;
  provider: ProviderName | null;
  detail: string | null;
};

/** One message of an incident, and its fate (decision 25). */
export type Notification = {
  id: string;
  created_at: string;
  incident: string;
  kind: string;
  message: string;
  recipients: string[];
  status: "pending" | "sent" | "not_sent" | "failed";
  detail: string | null;
  attempts: number;
  sent_at: string | null;
};
