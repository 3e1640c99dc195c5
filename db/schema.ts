import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  AGENT_STATUSES,
  ALARM_KINDS,
  AREA_TYPES,
  CALENDAR_RULES,
  COMMAND_SOURCES,
  CONNECTION_MODES,
  CONNECTIVITY_ACTIONS,
  DEPT_ROLES,
  DELIVERY_STATUSES,
  DEVICE_EVENT_ACTIONS,
  DEVICE_EVENT_RESULTS,
  DEVICE_STATES,
  EVENT_CAUSES,
  HUB_STATUSES,
  IMPORT_ACTIONS,
  IMPORT_KINDS,
  IMPORT_STATES,
  NOTIFICATION_STATUSES,
  ORG_MEMBERSHIP_ROLES,
  POLICY_SCOPES,
  PROVIDERS,
  REASONS,
  SCHEDULER_RESULTS,
  STATE_KINDS,
  STORED_SCHEDULE_STATUSES,
  SWITCH_ACTIONS,
  WEBHOOK_TYPES,
  WORKORDER_PRIORITIES,
  WORKORDER_STATUSES,
  type AlarmKind,
  type MessageChannel,
} from "#domain/enums";
import type { ImportJob, ImportProblem } from "#domain/organization/import-records";
import type { Hold } from "#domain/resolve/hold";
import type { Position, SunTime } from "#domain/schedule/sun-time";
import type { SchedulerReport } from "#domain/alarms/scheduler-health";
import type { Manifest } from "#domain/operations/backup";
import { json } from "./json-column";

type ImportCounts = ImportJob["counts"];

// Every instant is text, ISO 8601 in UTC with milliseconds: the contract's JSON form, which also sorts by time.
// The triggers in migrations/0001_triggers.sql bump organizations.config_version and append to `changes`.

const now = sql`(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`;
const created_at = () => text().notNull().default(now);
const updated_at = () => text().notNull().default(now);
const version = () => integer().notNull().default(1);
const org_id = () =>
  text()
    .notNull()
    .references(() => organizations.id, { onDelete: "cascade" });
/** Logs outlive the records that they mention, so they have names and no foreign keys. */
const log_org_id = () => text().notNull();

export const organizations = sqliteTable("organizations", {
  id: text().primaryKey(),
  name: text().notNull(),
  config_version: integer().notNull().default(0),
  epoch: text().notNull().default("1"),
  active: integer({ mode: "boolean" }).notNull().default(true),
  created_at: created_at(),
});

export const users = sqliteTable(
  "users",
  {
    id: text().primaryKey(),
    email: text().notNull(),
    /** '' for somebody without a password or with a reset one; only a one-time code signs them in. */
    password_hash: text().notNull(),
    created_at: created_at(),
    version: version(),
  },
  (t) => [uniqueIndex("users_email").on(t.email)],
);

export const org_memberships = sqliteTable(
  "org_memberships",
  {
    org_id: org_id(),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text({ enum: ORG_MEMBERSHIP_ROLES }).notNull(),
    active: integer({ mode: "boolean" }).notNull().default(true),
    /** Invited without having redeemed the code: it grants nothing and counts for nothing. */
    pending: integer({ mode: "boolean" }).notNull().default(false),
    /** Sessions from before this instant no longer open the organization: the membership was deactivated then. */
    sessions_end_at: text(),
    created_at: created_at(),
    version: version(),
  },
  (t) => [primaryKey({ columns: [t.org_id, t.user_id] }), index("org_memberships_user").on(t.user_id)],
);

export const departments = sqliteTable(
  "departments",
  {
    id: text().primaryKey(),
    org_id: org_id(),
    name: text().notNull(),
    created_at: created_at(),
    version: version(),
  },
  (t) => [index("departments_org").on(t.org_id, t.name)],
);

export const dept_memberships = sqliteTable(
  "dept_memberships",
  {
    id: text().primaryKey(),
    org_id: org_id(),
    dept_id: text()
      .notNull()
      .references(() => departments.id, { onDelete: "cascade" }),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text({ enum: DEPT_ROLES }).notNull(),
    created_at: created_at(),
  },
  (t) => [
    uniqueIndex("dept_memberships_once").on(t.dept_id, t.user_id),
    index("dept_memberships_user").on(t.org_id, t.user_id),
  ],
);

export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    org_id: org_id(),
    dept_id: text().references(() => departments.id, { onDelete: "set null" }),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    expires_at: text().notNull(),
    revoked_at: text(),
    created_at: created_at(),
    /** The last request caused by the person, written at most every five minutes. */
    last_active_at: text(),
    /** The one-time code that opened it; until a password is set the session can do nothing else. */
    code_hash: text(),
    /** Where it was opened, for the person's own list of sessions. */
    address: text(),
    user_agent: text(),
  },
  (t) => [index("sessions_user").on(t.user_id), index("sessions_expiry").on(t.expires_at)],
);

/**
 * Failed and unfinished sign-in attempts; a right one is removed. There is no org_id, since nobody is signed in yet.
 * `address` is a network address, or `device:` and the id of a browser that the person used before.
 */
export const login_attempts = sqliteTable(
  "login_attempts",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    email: text().notNull(),
    address: text().notNull(),
    at: text().notNull(),
  },
  (t) => [
    index("login_attempts_address").on(t.address, t.at),
    index("login_attempts_email").on(t.email, t.at),
    index("login_attempts_at").on(t.at),
  ],
);

/** Invitations and password resets. Only the hash is kept; redeeming a code deletes it. */
export const one_time_codes = sqliteTable(
  "one_time_codes",
  {
    code_hash: text().primaryKey(),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Null for a recovery by the operator, which belongs to no organization. */
    org_id: text().references(() => organizations.id, { onDelete: "cascade" }),
    expires_at: text().notNull(),
    created_at: created_at(),
  },
  (t) => [index("one_time_codes_user").on(t.user_id), index("one_time_codes_expiry").on(t.expires_at)],
);

/** A person's one authenticator app. It counts once it is confirmed. */
export const second_factors = sqliteTable("second_factors", {
  user_id: text()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  sealed_secret: text().notNull(),
  confirmed_at: text(),
  /** The 30-second step of the last accepted code; no code is accepted twice. */
  last_step: integer().notNull().default(0),
});

/** Recovery codes, for a lost authenticator app. Using one deletes it. */
export const recovery_codes = sqliteTable(
  "recovery_codes",
  {
    code_hash: text().primaryKey(),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
  },
  (t) => [index("recovery_codes_user").on(t.user_id)],
);

export const areas = sqliteTable(
  "areas",
  {
    id: text().primaryKey(),
    org_id: org_id(),
    name: text().notNull(),
    type: text({ enum: AREA_TYPES }).notNull().default("park"),
    location: json<{ address?: string; lat?: number; lon?: number }>(),
    /** Its positions of the last days, the newest last; see app/domain/schedule/sun-time.ts. */
    positions: json<Position[]>(),
    /** The least time between two ONs, in seconds. */
    stagger_sec: integer().notNull().default(0),
    active: integer({ mode: "boolean" }).notNull().default(true),
    created_at: created_at(),
    updated_at: updated_at(),
    version: version(),
  },
  (t) => [index("areas_org").on(t.org_id, sql`${t.name} collate nocase`, t.id)],
);

/**
 * The computers on the hubs' networks that speak to the hubs for us. Of a secret only the hash is kept, and its last
 * characters to tell it by. The engine writes the columns from status to plan_refused.
 */
export const agents = sqliteTable(
  "agents",
  {
    id: text().primaryKey(),
    org_id: org_id(),
    name: text().notNull(),
    /** SHA-256 of the whole secret, in hex. */
    secret_hash: text().notNull(),
    hint: text().notNull(),
    issued_at: text().notNull().default(now),
    /** Rises with each new secret and each revocation; a socket of another generation is closed. */
    generation: integer().notNull().default(1),
    /** No secret opens anything since then; a new one does. */
    revoked_at: text(),
    status: text({ enum: AGENT_STATUSES }).notNull().default("never"),
    connected_since: text(),
    last_seen: text(),
    agent_version: text(),
    /** Why it goes on with an older plan than the city's, in a sentence. */
    plan_refused: text(),
    /** Of the engine's report that these five are from. */
    health_seq: integer().notNull().default(0),
    created_at: created_at(),
    updated_at: updated_at(),
    version: version(),
  },
  (t) => [index("agents_org").on(t.org_id, t.name, t.id)],
);

export const hubs = sqliteTable(
  "hubs",
  {
    id: text().primaryKey(),
    org_id: org_id(),
    area_id: text()
      .notNull()
      .references(() => areas.id, { onDelete: "cascade" }),
    name: text().notNull(),
    ip_address: text(),
    port: integer().notNull().default(1080),
    connection_mode: text({ enum: CONNECTION_MODES }).notNull().default("hybrid"),
    /** Who speaks to it; null where the server reaches it by itself. */
    agent_id: text().references(() => agents.id, { onDelete: "set null" }),
    notes: text(),
    /** Encrypted; never returned. */
    local_client_id: text(),
    local_client_secret: text(),
    status: text({ enum: HUB_STATUSES }).notNull().default("unknown"),
    last_seen: text(),
    rtt_ms: integer(),
    /** Of the engine's report that these three are from. */
    health_seq: integer().notNull().default(0),
    created_at: created_at(),
    updated_at: updated_at(),
    version: version(),
  },
  (t) => [
    index("hubs_page").on(t.org_id, t.id),
    index("hubs_org").on(t.org_id, t.name),
    index("hubs_area").on(t.area_id),
    index("hubs_agent").on(t.agent_id),
  ],
);

export const devices = sqliteTable(
  "devices",
  {
    id: text().primaryKey(),
    org_id: org_id(),
    area_id: text()
      .notNull()
      .references(() => areas.id, { onDelete: "cascade" }),
    hub_id: text().references(() => hubs.id, { onDelete: "set null" }),
    dept_id: text().references(() => departments.id, { onDelete: "set null" }),
    name: text().notNull(),
    model: text(),
    cloud_device_id: text(),
    local_ref: text(),
    on_payload: text(),
    off_payload: text(),
    notes: text(),
    /** How long the lamp cools before it can be lit again, in minutes. */
    restrike_min: integer().notNull().default(0),
    /** When it came to its area; null if it was always there. A trigger writes it. */
    area_since: text(),
    /** The hold or emergency in force, which the engine writes; readers ignore one that is over. */
    hold: json<Hold>(),
    current_state: text({ enum: DEVICE_STATES }).notNull().default("unknown"),
    last_state_at: text(),
    /** Why the state is not what it should be, and since when; the engine writes both. */
    problem: text(),
    problem_since: text(),
    /** The engine's seq of what wrote current_state, the hold and the problem; an older one cannot overwrite it. */
    state_seq: integer().notNull().default(0),
    hold_seq: integer().notNull().default(0),
    problem_seq: integer().notNull().default(0),
    created_at: created_at(),
    updated_at: updated_at(),
    version: version(),
  },
  (t) => [
    index("devices_page").on(t.org_id, t.id),
    index("devices_org").on(t.org_id, t.name),
    index("devices_area").on(t.area_id),
    index("devices_hub").on(t.hub_id),
    index("devices_dept").on(t.org_id, t.dept_id),
    // Few lights are wrong at a time, and every look at the dashboard asks which.
    index("devices_problem")
      .on(t.org_id)
      .where(sql`${t.problem} is not null`),
  ],
);

/** A named set of devices of one area. One without a name is made by ticking devices, and goes when nothing names it. */
export const device_groups = sqliteTable(
  "device_groups",
  {
    id: text().primaryKey(),
    org_id: org_id(),
    area_id: text()
      .notNull()
      .references(() => areas.id, { onDelete: "cascade" }),
    /** Null for one without a name. */
    name: text(),
    created_at: created_at(),
    updated_at: updated_at(),
    version: version(),
  },
  (t) => [index("device_groups_org").on(t.org_id, t.area_id)],
);

/** The devices of the groups. A trigger removes a device that moves to another area. */
export const group_devices = sqliteTable(
  "group_devices",
  {
    org_id: org_id(),
    group_id: text()
      .notNull()
      .references(() => device_groups.id, { onDelete: "cascade" }),
    device_id: text()
      .notNull()
      .references(() => devices.id, { onDelete: "cascade" }),
    added_at: text().notNull().default(now),
  },
  (t) => [primaryKey({ columns: [t.group_id, t.device_id] }), index("group_devices_device").on(t.device_id)],
);

/** Dates on which schedules do not happen, or happen only. */
export const calendars = sqliteTable(
  "calendars",
  {
    id: text().primaryKey(),
    org_id: org_id(),
    name: text().notNull(),
    dates: json<{ date: string; name: string }[]>().notNull(),
    created_at: created_at(),
    updated_at: updated_at(),
    version: version(),
  },
  (t) => [index("calendars_org").on(t.org_id, t.name)],
);

/** What a schedule, a permit or a closure is for: exactly one of the three. */
const target = () => ({
  device_id: text().references(() => devices.id, { onDelete: "cascade" }),
  group_id: text().references(() => device_groups.id, { onDelete: "cascade" }),
  area_id: text().references(() => areas.id, { onDelete: "cascade" }),
});
const oneTarget = (name: string) =>
  check(name, sql`("device_id" IS NOT NULL) + ("group_id" IS NOT NULL) + ("area_id" IS NOT NULL) = 1`);

export const schedules = sqliteTable(
  "schedules",
  {
    id: text().primaryKey(),
    org_id: org_id(),
    ...target(),
    /** Since when it is for this target; null if it always was. */
    target_since: text(),
    title: text().notNull(),
    description_short: text(),
    start_at: text().notNull(),
    end_at: text().notNull(),
    start_sun: json<SunTime>(),
    end_sun: json<SunTime>(),
    rrule: text(),
    timezone: text().notNull(),
    /** The dates on which it does not happen. */
    skips: json<{ date: string; reason: string | null }[]>(),
    calendar_id: text().references(() => calendars.id),
    calendar_rule: text({ enum: CALENDAR_RULES }),
    status: text({ enum: STORED_SCHEDULE_STATUSES }).notNull().default("scheduled"),
    /** The end of the last occurrence; null if the rule never ends. */
    last_end_at: text(),
    /** What comes next, as app/domain/schedule/coming-windows.ts tells it; '' before it is known. Written beside every change. */
    window_start_at: text(),
    window_end_at: text().default(""),
    then_start_at: text().default(""),
    created_at: created_at(),
    updated_at: updated_at(),
    version: version(),
  },
  (t) => [
    oneTarget("schedules_target"),
    index("schedules_window_start").on(t.org_id, t.window_start_at),
    index("schedules_window").on(t.org_id, t.window_end_at),
    index("schedules_then_start").on(t.org_id, t.then_start_at),
    index("schedules_page").on(t.org_id, t.id),
    index("schedules_org").on(t.org_id, t.start_at),
    index("schedules_device").on(t.device_id),
    index("schedules_group").on(t.group_id),
    index("schedules_area").on(t.area_id),
    index("schedules_calendar").on(t.calendar_id),
  ],
);

/** The guardrails of an area type, an area or a group. Null inherits; '' and 0 are none. */
export const policies = sqliteTable(
  "policies",
  {
    org_id: org_id(),
    scope: text({ enum: POLICY_SCOPES }).notNull(),
    /** The type's name, or the area's or group's id. A trigger removes it with them. */
    scope_id: text().notNull(),
    HARD_CURFEW_OFF: text(),
    BLACKOUT_WINDOW: text(),
    MAX_ON_DURATION_MIN: integer(),
    created_at: created_at(),
    updated_at: updated_at(),
    version: version(),
  },
  (t) => [primaryKey({ columns: [t.org_id, t.scope, t.scope_id] })],
);

/** A time in which the dark time and max on do not apply to its target. */
export const permits = sqliteTable(
  "permits",
  {
    id: text().primaryKey(),
    org_id: org_id(),
    ...target(),
    from_at: text().notNull(),
    to_at: text().notNull(),
    reason: text().notNull(),
    /** Who gave it, as an e-mail address. */
    created_by: text().notNull(),
    created_at: created_at(),
    updated_at: updated_at(),
    version: version(),
  },
  (t) => [
    oneTarget("permits_target"),
    index("permits_org").on(t.org_id, t.to_at),
    index("permits_device").on(t.device_id),
    index("permits_group").on(t.group_id),
    index("permits_area").on(t.area_id),
  ],
);

/** A time in which its target stays dark; without an end, until it is reopened. */
export const closures = sqliteTable(
  "closures",
  {
    id: text().primaryKey(),
    org_id: org_id(),
    ...target(),
    from_at: text().notNull(),
    to_at: text(),
    reason: text().notNull(),
    created_by: text().notNull(),
    created_at: created_at(),
    updated_at: updated_at(),
    version: version(),
  },
  (t) => [
    oneTarget("closures_target"),
    index("closures_org").on(t.org_id, t.to_at),
    index("closures_device").on(t.device_id),
    index("closures_group").on(t.group_id),
    index("closures_area").on(t.area_id),
  ],
);

export const workorders = sqliteTable(
  "workorders",
  {
    id: text().primaryKey(),
    org_id: org_id(),
    title: text().notNull(),
    description: text(),
    status: text({ enum: WORKORDER_STATUSES }).notNull().default("open"),
    priority: text({ enum: WORKORDER_PRIORITIES }).notNull().default("medium"),
    dept_id: text().references(() => departments.id, { onDelete: "set null" }),
    device_id: text().references(() => devices.id, { onDelete: "set null" }),
    area_id: text().references(() => areas.id, { onDelete: "set null" }),
    assigned_to: text().references(() => users.id, { onDelete: "set null" }),
    created_by: text().references(() => users.id, { onDelete: "set null" }),
    /** The alarm that it was made from, until that is pruned. */
    alarm_id: text().references(() => alarms.id, { onDelete: "set null" }),
    completed_at: text(),
    created_at: created_at(),
    updated_at: updated_at(),
    version: version(),
  },
  (t) => [
    index("workorders_org").on(t.org_id, t.created_at),
    index("workorders_device").on(t.device_id),
    index("workorders_area").on(t.area_id),
    index("workorders_dept").on(t.dept_id),
    // One press makes it, and a second one finds it.
    uniqueIndex("workorders_alarm").on(t.alarm_id),
  ],
);

/**
 * What the engine told people, with a life: open, acknowledged, over. The engine writes the upper part and over_at, people
 * the rest. Names are those of the beginning.
 */
export const alarms = sqliteTable(
  "alarms",
  {
    id: text().primaryKey(),
    org_id: log_org_id(),
    kind: text({ enum: ALARM_KINDS }).notNull(),
    device_id: text(),
    device_name: text(),
    hub_id: text(),
    hub_name: text(),
    area_id: text(),
    area_name: text(),
    dept_id: text(),
    dept_name: text(),
    /** 'Dark' and 'still off after 3 tries' of 'Dark since 5:00 PM: still off after 3 tries'. */
    what: text().notNull(),
    why: text().notNull(),
    opened_at: text().notNull(),
    over_at: text(),
    /** The engine's seq of the last that it told; an older delivery changes nothing. */
    seq: integer().notNull(),
    acknowledged_at: text(),
    /** An e-mail address. */
    acknowledged_by: text(),
    assigned_to: text().references(() => users.id, { onDelete: "set null" }),
    /** Of what people write; what the engine tells leaves it alone. */
    version: version(),
  },
  (t) => [
    index("alarms_org").on(t.org_id, t.over_at, t.acknowledged_at, t.opened_at, t.id),
    index("alarms_device").on(t.device_id, t.over_at),
    index("alarms_area").on(t.area_id, t.over_at),
  ],
);

/** Addresses of other systems that are told of alarms. */
export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text().primaryKey(),
    org_id: org_id(),
    name: text().notNull(),
    url: text().notNull(),
    active: integer({ mode: "boolean" }).notNull().default(true),
    /** Sealed; `hint` is its end. */
    secret: text().notNull(),
    hint: text().notNull(),
    issued_at: text().notNull().default(now),
    /** Older secrets, the latest first, separated by spaces. They sign too for a day, so that the receiver can change over. */
    previous_secret: text(),
    previous_until: text(),
    created_at: created_at(),
    updated_at: updated_at(),
    version: version(),
  },
  (t) => [index("webhooks_org").on(t.org_id, t.name, t.id)],
);

/** Messages to webhooks, written by the engine; pruned by retention. */
export const webhook_deliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: text().primaryKey(),
    org_id: log_org_id(),
    webhook_id: text().notNull(),
    type: text({ enum: WEBHOOK_TYPES }).notNull(),
    alarm_id: text(),
    subject: text().notNull(),
    body: text().notNull(),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    attempts: integer().notNull().default(0),
    http_status: integer(),
    ms: integer(),
    answer: text(),
    created_at: created_at(),
    last_at: text(),
    next_at: text(),
  },
  (t) => [
    index("webhook_deliveries_org").on(t.org_id, t.created_at, t.id),
    index("webhook_deliveries_webhook").on(t.webhook_id, t.last_at),
  ],
);

/** By which channels, of which alarms and when a person wants to hear. A person without a row hears of none. */
export const message_choices = sqliteTable(
  "message_choices",
  {
    org_id: org_id(),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    phone: text(),
    /** Null for the account's. */
    email: text(),
    urgent_by: json<MessageChannel[]>().notNull().default([]),
    other_by: json<MessageChannel[]>().notNull().default([]),
    left_out: json<AlarmKind[]>().notNull().default([]),
    /** HH:MM by the city's clocks; both null for none. */
    quiet_from: text(),
    quiet_to: text(),
    digest: integer({ mode: "boolean" }).notNull().default(true),
    /** When the last test message was asked for. */
    tested_at: text(),
    created_at: created_at(),
    updated_at: updated_at(),
    version: version(),
  },
  (t) => [primaryKey({ columns: [t.org_id, t.user_id] }), index("message_choices_user").on(t.user_id)],
);

/** One row per key that was ever saved; the values of keys to other services are encrypted. */
export const settings = sqliteTable(
  "settings",
  {
    org_id: org_id(),
    key: text().notNull(),
    value: json<unknown>().notNull(),
    updated_at: updated_at(),
  },
  (t) => [primaryKey({ columns: [t.org_id, t.key] })],
);

/** Idempotency keys, so that a repeated request writes nothing twice; pruned by retention. */
export const idempotency_keys = sqliteTable(
  "idempotency_keys",
  {
    org_id: org_id(),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    key: text().notNull(),
    /** A hash of the call and its input, to refuse the key with another body. */
    fingerprint: text().notNull(),
    record_id: text().notNull(),
    /** The answer, encrypted because it may contain a one-time password. Null until it is known. */
    sealed_answer: text(),
    created_at: created_at(),
  },
  (t) => [primaryKey({ columns: [t.org_id, t.user_id, t.key] }), index("idempotency_keys_at").on(t.created_at)],
);

/** A file of areas, hubs and devices that a person lets in: first checked, then applied in one batch. */
export const imports = sqliteTable(
  "imports",
  {
    id: text().primaryKey(),
    org_id: org_id(),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    file_name: text(),
    state: text({ enum: IMPORT_STATES }).notNull(),
    reason: text(),
    rows: integer().notNull(),
    done: integer().notNull().default(0),
    counts: json<ImportCounts>().notNull(),
    problem_count: integer().notNull().default(0),
    problems: json<ImportProblem[]>().notNull(),
    created_at: created_at(),
    updated_at: updated_at(),
    version: version(),
  },
  (t) => [index("imports_owner").on(t.org_id, t.user_id, t.created_at), index("imports_at").on(t.created_at)],
);

/** What a checked file will change, row by row, until it is applied. `details` are the audit entry's, and the values. */
export const import_rows = sqliteTable(
  "import_rows",
  {
    import_id: text()
      .notNull()
      .references(() => imports.id, { onDelete: "cascade" }),
    row: integer().notNull(),
    kind: text({ enum: IMPORT_KINDS }).notNull(),
    action: text({ enum: IMPORT_ACTIONS }).notNull(),
    record_id: text().notNull(),
    /** The version that the check has read; null for a new record. */
    read_version: integer(),
    name: text().notNull(),
    fields: json<string[]>().notNull(),
    details: json<{ before?: Record<string, unknown>; after: Record<string, unknown> }>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.import_id, t.row] })],
);

/** The records that the organization's object must read again; written by triggers, pruned by retention. */
export const changes = sqliteTable(
  "changes",
  {
    org_id: log_org_id(),
    version: integer().notNull(),
    kind: text({
      enum: [
        "area",
        "agent",
        "hub",
        "group",
        "calendar",
        "policy",
        "permit",
        "closure",
        "device",
        "schedule",
        "settings",
      ],
    }).notNull(),
    record_id: text().notNull(),
    at: text().notNull().default(now),
  },
  (t) => [primaryKey({ columns: [t.org_id, t.version, t.kind, t.record_id] }), index("changes_at").on(t.at)],
);

export const notifications = sqliteTable(
  "notifications",
  {
    id: text().primaryKey(),
    org_id: log_org_id(),
    incident: text().notNull(),
    kind: text().notNull(),
    message: text().notNull(),
    recipients: json<string[]>().notNull(),
    status: text({ enum: NOTIFICATION_STATUSES }).notNull(),
    detail: text(),
    attempts: integer().notNull().default(0),
    created_at: created_at(),
    sent_at: text(),
  },
  (t) => [index("notifications_org").on(t.org_id, t.created_at)],
);

export const device_events = sqliteTable(
  "device_events",
  {
    id: text().primaryKey(),
    org_id: log_org_id(),
    created_at: created_at(),
    device_id: text(),
    area_id: text(),
    dept_id: text(),
    device_name: text(),
    area_name: text(),
    hub_name: text(),
    schedule_title: text(),
    action: text({ enum: DEVICE_EVENT_ACTIONS }).notNull(),
    result: text({ enum: DEVICE_EVENT_RESULTS }).notNull(),
    provider: text({ enum: PROVIDERS }),
    response_snippet: text(),
    http_status: integer(),
    rtt_ms: real(),
  },
  (t) => [
    index("device_events_org").on(t.org_id, t.created_at, t.id),
    index("device_events_device").on(t.org_id, t.device_id, t.created_at, t.id),
    index("device_events_area").on(t.org_id, t.area_id, t.created_at, t.id),
  ],
);

export const scheduler_events = sqliteTable(
  "scheduler_events",
  {
    id: text().primaryKey(),
    org_id: log_org_id(),
    ts: text().notNull(),
    device_id: text(),
    dept_id: text(),
    device_name: text(),
    source: text({ enum: COMMAND_SOURCES }).notNull(),
    action: text({ enum: SWITCH_ACTIONS }).notNull(),
    result: text({ enum: SCHEDULER_RESULTS }).notNull(),
    attempts: integer().notNull(),
    note: text(),
    /** Null for entries from before causes were stored. */
    cause: text({ enum: EVENT_CAUSES }),
  },
  (t) => [
    index("scheduler_events_org").on(t.org_id, t.ts, t.id),
    index("scheduler_events_device").on(t.org_id, t.device_id, t.ts, t.id),
  ],
);

/**
 * The log of states: a row for each change of what was wanted of a light, or of what readings said. It holds until the
 * light's next row. Rows carry no department: whoever sees a light sees its past.
 */
export const state_changes = sqliteTable(
  "state_changes",
  {
    org_id: log_org_id(),
    device_id: text().notNull(),
    kind: text({ enum: STATE_KINDS }).notNull(),
    at: text().notNull(),
    state: text({ enum: DEVICE_STATES }).notNull(),
    /** Of a desired state: why, and the schedules that lit it or whose windows ran without lighting it. */
    reason: text({ enum: REASONS }),
    sentence: text(),
    schedule_ids: json<string[]>(),
    /** Until when those windows run, where they do not light it: the engine looks at a dark light only if it may change. */
    booked_until: text(),
  },
  (t) => [primaryKey({ columns: [t.org_id, t.device_id, t.kind, t.at] }), index("state_changes_at").on(t.org_id, t.at)],
);

export const connectivity_logs = sqliteTable(
  "connectivity_logs",
  {
    id: text().primaryKey(),
    org_id: log_org_id(),
    created_at: created_at(),
    action: text({ enum: CONNECTIVITY_ACTIONS }).notNull(),
    device_id: text(),
    dept_id: text(),
    device_name: text(),
    hub_name: text(),
    provider: text({ enum: PROVIDERS }),
    result: text({ enum: DEVICE_EVENT_RESULTS }).notNull(),
    response_snippet: text(),
  },
  (t) => [index("connectivity_logs_org").on(t.org_id, t.created_at)],
);

export const audit_logs = sqliteTable(
  "audit_logs",
  {
    id: text().primaryKey(),
    org_id: log_org_id(),
    created_at: created_at(),
    actor_id: text(),
    actor_email: text(),
    actor_role: text(),
    action: text().notNull(),
    resource_type: text().notNull(),
    resource_id: text(),
    details: json<Record<string, unknown> | string>(),
  },
  (t) => [index("audit_logs_org").on(t.org_id, t.created_at, t.id)],
);

/**
 * The manifest of a backup that the operator is restoring, until its rows replace the organization's in one batch. The id is
 * the organization's next epoch.
 */
export const restores = sqliteTable("restores", {
  org_id: log_org_id().primaryKey(),
  id: text().notNull(),
  manifest: json<Manifest>().notNull(),
  begun_at: created_at(),
});

/** How each organization's scheduler was found when it was last asked, so that not every visitor asks it. */
export const scheduler_health = sqliteTable("scheduler_health", {
  org_id: log_org_id().primaryKey(),
  asked_at: text().notNull(),
  /** Since when it has not answered; null: it answered. */
  silent_since: text(),
  /** What it last answered. */
  report: json<SchedulerReport>(),
  /** When the sweep last came to it. */
  swept_at: text(),
});

/** How far an organization's old logs were moved to the archive; written by each run that comes to it. */
export const archive_health = sqliteTable("archive_health", {
  org_id: log_org_id().primaryKey(),
  /** When a run last came to it. */
  run_at: text().notNull(),
  /** The oldest day (UTC) that should be in the archive and is not; null: nothing waits. */
  waiting_since: text(),
  /** When a day last could not be moved, and which: 'device-events 2026-08-01'. */
  failed_at: text(),
  failed: text(),
});

/** The rows of that backup, as JSON, by the table that they are for; of the object's tables as `object.{table}`. */
export const restore_rows = sqliteTable(
  "restore_rows",
  {
    org_id: log_org_id(),
    table_name: text().notNull(),
    row: integer().notNull(),
    body: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.org_id, t.table_name, t.row] })],
);
