import { z } from "zod";
import { hold } from "#domain/resolve/hold";
import { sunTime } from "#domain/schedule/nights-schema";
import type { Recurring } from "#domain/schedule/schedule";
import { namedTarget } from "#domain/schedule/target-schema";
import {
  AGENT_STATUSES,
  AREA_TYPES,
  CALENDAR_RULES,
  COMMAND_SOURCES,
  CONNECTION_MODES,
  CONNECTIVITY_ACTIONS,
  DEPT_ROLES,
  DEVICE_EVENT_ACTIONS,
  DEVICE_EVENT_RESULTS,
  DEVICE_STATES,
  EVENT_CAUSES,
  HUB_STATUSES,
  NOTIFICATION_STATUSES,
  ORG_MEMBERSHIP_ROLES,
  ORG_ROLES,
  PROVIDER_MODES,
  PROVIDERS,
  ROLES,
  SCHEDULE_STATUSES,
  SCHEDULER_RESULTS,
  SWITCH_ACTIONS,
  TOGGLE_ACTIONS,
  TIMEZONES,
  WORKORDER_PRIORITIES,
  WORKORDER_STATUSES,
} from "#domain/enums";

// The records of every layer and of the published contract. Instants are ISO 8601 in UTC; `version` is for If-Match.
const instant = z.iso.datetime();
const text = z.string().nullable();
const count = z.int().min(0);
const provider = z.enum(PROVIDERS).nullable();
const editable = { id: z.string(), version: z.int(), created_at: instant, updated_at: instant };

const location = z.object({
  address: z.string().optional(),
  lat: z.number().optional(),
  lon: z.number().optional(),
});
export type Location = z.infer<typeof location>;

export const area = z
  .object({
    ...editable,
    name: z.string(),
    type: z.enum(AREA_TYPES),
    location: location.nullable(),
    active: z.boolean(),
    stagger_sec: count.describe("The least time between two ONs of the area, in seconds"),
  })
  .meta({ id: "Area" });
export type Area = z.infer<typeof area>;

export const areaSummary = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.enum(AREA_TYPES),
    hubs_online: count,
    hubs_total: count,
    devices_on: count,
    devices_total: count,
    devices_hidden: count.describe("Devices in departments that are hidden from you"),
    problems: count.describe("Lights whose state is not the desired one"),
    last_activity: instant.nullable(),
    next_event: instant.nullable(),
  })
  .meta({ id: "AreaSummary" });
export type AreaSummary = z.infer<typeof areaSummary>;

export const hub = z
  .object({
    ...editable,
    name: z.string(),
    area_id: z.string(),
    area_name: z.string(),
    ip_address: text,
    port: z.int(),
    connection_mode: z.enum(CONNECTION_MODES),
    agent_id: text.describe("The on-site agent that speaks to it; null where the server reaches it by itself"),
    agent_name: text,
    notes: text,
    has_local_credentials: z.boolean().describe("The credentials themselves are never returned"),
  })
  .meta({ id: "Hub" });
export type Hub = z.infer<typeof hub>;

/** A saved hub, and what may surprise people about it. */
export const hubSaved = z
  .object({
    ...hub.shape,
    warnings: z
      .array(z.string())
      .describe("Why it cannot be reached as it is, and what its lights left as it was moved, in sentences"),
  })
  .meta({ id: "HubSaved" });
export type HubSaved = z.infer<typeof hubSaved>;

/** A computer on the hubs' network that speaks to them for us. */
export const agent = z
  .object({
    ...editable,
    name: z.string(),
    hint: z.string().describe("The last characters of its secret"),
    issued_at: instant.describe("When that secret was made"),
    revoked_at: instant.nullable().describe("Since then no secret of it opens anything, until it gets a new one"),
    status: z.enum(AGENT_STATUSES),
    connected_since: instant.nullable().describe("Null while it is not connected"),
    last_seen: instant.nullable(),
    agent_version: text.describe("The version of its program, as it says"),
    plan_refused: text.describe("Why it goes on with an older plan than the city's, as it says"),
    hubs: z.array(z.object({ id: z.string(), name: z.string() })).describe("The hubs that are assigned to it"),
  })
  .meta({ id: "Agent" });
export type Agent = z.infer<typeof agent>;

/** The secret is shown once, when it is made. */
export const agentWithSecret = z.object({ ...agent.shape, secret: z.string() }).meta({ id: "AgentWithSecret" });
export type AgentWithSecret = z.infer<typeof agentWithSecret>;

export const hubHealth = z
  .object({
    hub_id: z.string(),
    status: z.enum(HUB_STATUSES),
    last_seen: instant.nullable(),
    rtt_ms: z.number().nullable(),
  })
  .meta({ id: "HubHealth" });
export type HubHealth = z.infer<typeof hubHealth>;

export const device = z
  .object({
    ...editable,
    name: z.string(),
    area_id: z.string(),
    area_name: z.string(),
    hub_id: text,
    hub_name: text,
    dept_id: text,
    model: text,
    cloud_device_id: text,
    local_ref: text,
    on_payload: text,
    off_payload: text,
    notes: text,
    restrike_min: count.describe("How long the lamp cools before it can be lit again, in minutes"),
    current_state: z.enum(DEVICE_STATES),
    last_state_at: instant.nullable(),
    problem: text.describe("Why its state is not the desired one: 'still off, 3 tries'; null if it is"),
    problem_since: instant.nullable(),
    hold: hold
      .nullable()
      .describe("What a person asked of it until an end, or an emergency; null where neither is in force"),
  })
  .meta({ id: "Device" });
export type Device = z.infer<typeof device>;
/** A device as an option of a select or of a connectivity test. */
export type DeviceChoice = Pick<
  Device,
  "id" | "name" | "area_id" | "area_name" | "hub_id" | "dept_id" | "restrike_min"
>;
/** In a large city only the devices of one area; none until an area is chosen. */
export type DeviceChoices = { devices: DeviceChoice[]; isNarrowed: boolean };

/**
 * What may be done with the lights of a row's place: `may_write` says that something may be set for all of them, since each is
 * seen and none only read, and `may_affect` that the place may be deleted, moved or taken out of use, since none is only read.
 */
export type Rights = { may_write: boolean; may_affect: boolean };
export type MayWrite = Pick<Rights, "may_write">;
export type MayAffect = Pick<Rights, "may_affect">;

/** A named set of devices of one area. */
export const group = z
  .object({
    id: z.string(),
    area_id: z.string(),
    area_name: z.string(),
    name: z.string(),
    device_ids: z.array(z.string()).describe("Those that you can see, by name"),
    version: z.int(),
  })
  .meta({ id: "Group" });
export type Group = z.infer<typeof group>;

export const schedule = z
  .object({
    ...editable,
    title: z.string(),
    area_id: z.string(),
    area_name: z.string(),
    device_id: text.describe("Null for a group's or an area's schedule"),
    device_name: z.string().describe("The name of the target"),
    target: namedTarget,
    description_short: text,
    start_at: instant,
    end_at: instant,
    rrule: text,
    timezone: z.string(),
    start_sun: sunTime.nullable().describe("With it start_at is the sun's instant of the first night"),
    end_sun: sunTime.nullable(),
    exdates: z.array(z.string()).describe("The dates, YYYY-MM-DD, on which it does not happen"),
    calendar_id: z.string().nullable(),
    calendar_rule: z.enum(CALENDAR_RULES).nullable(),
    status: z.enum(SCHEDULE_STATUSES),
    last_end_at: instant.nullable(),
  })
  .meta({ id: "Schedule" });
export type Schedule = z.infer<typeof schedule>;
/** With all that its windows follow from, and why each of its dates is skipped. */
export type ScheduleWithNights = Schedule & Omit<Recurring, "skips"> & { skips: SkippedDate[] | null };
/** In a list; in an inactive area it switches nothing. */
export type ListedSchedule = ScheduleWithNights & { is_area_active: boolean } & MayWrite;
/** A date, 'YYYY-MM-DD', that a schedule leaves out, and why. */
export type SkippedDate = { date: string; reason: string | null };

export const calendar = z
  .object({
    ...editable,
    name: z.string(),
    dates: z.array(z.object({ date: z.string().describe("YYYY-MM-DD"), name: z.string() })),
  })
  .meta({ id: "Calendar" });
export type Calendar = z.infer<typeof calendar>;

export const workorder = z
  .object({
    ...editable,
    title: z.string(),
    description: text,
    status: z.enum(WORKORDER_STATUSES),
    priority: z.enum(WORKORDER_PRIORITIES),
    dept_id: text,
    device_id: text,
    area_id: text,
    assigned_to: text,
    created_by: text,
    completed_at: instant.nullable(),
    alarm_id: text.describe("The alarm that it was made from"),
    alarm_over_at: instant.nullable().describe("Since when that alarm is over"),
  })
  .meta({ id: "Workorder" });
export type Workorder = z.infer<typeof workorder>;
/** With the names of its area and device; null without one, or for a hidden device. */
export type PlacedWorkorder = Workorder & { area_name: string | null; device_name: string | null };

export const department = z
  .object({ id: z.string(), org_id: z.string(), name: z.string(), version: z.int() })
  .meta({ id: "Department" });
export type Department = z.infer<typeof department>;

export const departmentMember = z
  .object({ id: z.string(), user_id: z.string(), email: z.string(), role: z.enum(DEPT_ROLES) })
  .meta({ id: "DepartmentMember" });
export type DepartmentMember = z.infer<typeof departmentMember>;

export const orgMembership = z.object({ org_id: z.string(), org_name: z.string(), role: z.enum(ORG_MEMBERSHIP_ROLES) });
export type OrgMembership = z.infer<typeof orgMembership>;

const deptMembership = z.object({ dept_id: z.string(), org_id: z.string(), role: z.enum(DEPT_ROLES) });
export type DeptMembership = z.infer<typeof deptMembership>;

/** The signed-in person in the chosen organization and department. */
export const user = z
  .object({
    id: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    org_role: z.enum(ORG_ROLES),
    current_org_id: z.string(),
    current_dept_id: text,
    org_memberships: z.array(orgMembership),
    dept_memberships: z.array(deptMembership),
    must_change_password: z.literal(true).optional().describe("Signed in with a one-time code: set a password first"),
    must_redeem_code: z
      .literal(true)
      .optional()
      .describe("Not a member of any organization yet: redeem the invitation's code first"),
    must_set_up_second_factor: z.literal(true).optional().describe("The organization requires a second factor"),
  })
  .meta({ id: "User" });
export type User = z.infer<typeof user>;

/** A colleague as everyone knows them. */
export const colleague = z.object({ id: z.string(), email: z.string(), role: z.enum(ROLES) }).meta({ id: "Colleague" });
export type Colleague = z.infer<typeof colleague>;

/** A person as an admin sees them; role, active flag and version are the membership's. */
export const member = z
  .object({
    ...colleague.shape,
    org_role: z.enum(ORG_ROLES),
    active: z.boolean(),
    pending: z.boolean().describe("Invited, but the code is not redeemed yet"),
    version: z.int(),
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof member>;

/** The code is shown once. A new person signs in with it; one with an account redeems it signed in. */
export const invited = z.object({ ...member.shape, one_time_password: z.string() }).meta({ id: "Invited" });
export type Invited = z.infer<typeof invited>;

/** One of a person's own sessions. */
export const ownSession = z
  .object({
    id: z.string(),
    created_at: instant,
    last_active_at: instant.describe("Accurate to five minutes"),
    expires_at: instant,
    address: text.describe("The network address of the sign-in"),
    user_agent: text,
    current: z.boolean().describe("Whether this request uses it"),
  })
  .meta({ id: "OwnSession" });
export type OwnSession = z.infer<typeof ownSession>;

/** A person's own second factor. */
export const secondFactor = z
  .object({
    enabled: z.boolean(),
    required: z.boolean().describe("The organization requires one for your role"),
    recovery_codes_left: count,
  })
  .meta({ id: "SecondFactor" });
export type SecondFactor = z.infer<typeof secondFactor>;

/** The setup of an authenticator app, which counts once its first code confirms it. */
export const secondFactorSetup = z
  .object({ secret: z.string(), link: z.string().describe("otpauth://"), qr_svg: z.string() })
  .meta({ id: "SecondFactorSetup" });
export type SecondFactorSetup = z.infer<typeof secondFactorSetup>;

export const deviceEvent = z
  .object({
    id: z.string(),
    created_at: instant,
    device_id: text,
    area_id: text,
    device_name: text,
    area_name: text,
    hub_name: text,
    schedule_title: text,
    action: z.enum(DEVICE_EVENT_ACTIONS),
    result: z.enum(DEVICE_EVENT_RESULTS),
    provider,
    response_snippet: text,
    http_status: z.int().nullable(),
  })
  .meta({ id: "DeviceEvent" });
export type DeviceEvent = z.infer<typeof deviceEvent>;

export const schedulerEvent = z
  .object({
    id: z.string(),
    ts: instant,
    device_id: text,
    device_name: text,
    source: z.enum(COMMAND_SOURCES),
    action: z.enum(SWITCH_ACTIONS),
    result: z.enum(SCHEDULER_RESULTS),
    attempts: count,
    note: text,
    cause: z
      .enum(EVENT_CAUSES)
      .nullable()
      .describe("The kind of event; null for events from before causes were stored"),
  })
  .meta({ id: "SchedulerEvent" });
export type SchedulerEvent = z.infer<typeof schedulerEvent>;

export const connectivityLog = z
  .object({
    id: z.string(),
    created_at: instant,
    action: z.enum(CONNECTIVITY_ACTIONS),
    device_name: text,
    hub_name: text,
    provider,
    result: z.enum(DEVICE_EVENT_RESULTS),
    response_snippet: text,
  })
  .meta({ id: "ConnectivityLog" });
export type ConnectivityLog = z.infer<typeof connectivityLog>;

export const auditLog = z
  .object({
    id: z.string(),
    created_at: instant,
    actor_email: text,
    actor_role: text,
    action: z.string(),
    resource_type: z.string(),
    resource_id: text,
    details: z.union([z.record(z.string(), z.unknown()), z.string()]).nullable(),
  })
  .meta({ id: "AuditLog" });
export type AuditLog = z.infer<typeof auditLog>;

export const systemSettings = z
  .object({
    YOLINK_UAC_KEY: z.string().describe("A mask, never the key; posting it back keeps the key"),
    YOLINK_CLOUD_BASE: z.string(),
    PROVIDER_MODE: z.enum(PROVIDER_MODES),
    APP_TIMEZONE: z.enum(TIMEZONES),
    HUB_CHECK_INTERVAL_SEC: z.int(),
    HUB_OFFLINE_ALERT_MIN: z.int(),
    SESSION_IDLE_MIN: z.int().describe("Minutes without activity after which a session ends"),
    SECOND_FACTOR_ROLES: z.array(z.enum(ROLES)).describe("The roles that need a second factor"),
    CITY_LAT: z.number().nullable().describe("Where areas without a position of their own see the sun"),
    CITY_LON: z.number().nullable(),
  })
  .meta({ id: "SystemSettings" });
export type SystemSettings = z.infer<typeof systemSettings>;

export const guardrailSettings = z
  .object({
    HARD_CURFEW_OFF: z.string().describe("HH:MM, or empty for none"),
    MAX_ON_DURATION_MIN: z.int(),
    BLACKOUT_WINDOW: z.string().describe("HH:MM-HH:MM, or empty for none"),
    WATCHDOG_ENABLED: z.boolean(),
    WATCHDOG_INTERVAL_SEC: z.int(),
    YOLINK_VERIFY_DELAY_SEC: z.int(),
    RETRY_BACKOFFS_SEC: z.array(z.int()),
    NOTIFY_ON_FAIL: z.boolean(),
    NOTIFY_SMS_TO: z.string().describe("E.164 numbers, separated by commas"),
  })
  .meta({ id: "GuardrailSettings" });
export type GuardrailSettings = z.infer<typeof guardrailSettings>;

/**
 * The answer of a toggle; if it was refused or not confirmed, `success` is false and `detail` says why. After a toggle with
 * an end, `detail` names the light's real end: 'On until 12:00 AM: blackout'.
 */
export const toggleResult = z
  .object({
    success: z.boolean(),
    action: z.enum(TOGGLE_ACTIONS),
    state: z.enum(DEVICE_STATES),
    provider,
    detail: text,
  })
  .meta({ id: "ToggleResult" });
export type ToggleResult = z.infer<typeof toggleResult>;

/** One light in the answer of a toggle of many. */
export const toggleRow = z
  .object({
    device_id: z.string(),
    success: z.boolean(),
    pending: z.boolean().describe("Not done yet, and still being tried"),
    detail: text,
  })
  .meta({ id: "ToggleRow" });
export type ToggleRow = z.infer<typeof toggleRow>;

/** One message of an incident, and whether it was sent. */
export const notification = z
  .object({
    id: z.string(),
    created_at: instant,
    incident: z.string(),
    alarm_id: text.describe("The alarm that it tells of"),
    kind: z.string(),
    message: z.string(),
    recipients: z.array(z.string()),
    status: z.enum(NOTIFICATION_STATUSES),
    detail: text,
    attempts: count,
    sent_at: instant.nullable(),
  })
  .meta({ id: "Notification" });
export type Notification = z.infer<typeof notification>;
