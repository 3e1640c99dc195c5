import type { WorkorderInput } from "#domain/alarms/workorder-schema";
import type { HubInput } from "#domain/hubs/hub-schema";
import type { DeviceInput } from "#domain/light/device-schema";
import type { AreaInput } from "#domain/organization/area-schema";
import type { nightFields } from "#domain/schedule/nights-schema";
import type { ScheduleInput } from "#domain/schedule/schedule-schema";
import type { Area, Device, Hub, Schedule, Workorder } from "#domain/records/records";

type Given<Input, Left extends keyof Input> = Record<Exclude<keyof Input, Left>, unknown>;

/**
 * A record whose values no other record has, as the API takes them. The compiler asks for a new field here; what names
 * another record is left to whoever makes it.
 */
export const INPUTS = {
  areas: { name: "Quillwort Bank", type: "river", location: { address: "12 Otter Lane" }, stagger_sec: 7 },
  hubs: {
    name: "Boathouse hub",
    ip_address: "10.66.77.88",
    port: 1099,
    connection_mode: "local",
    notes: "Above the oars",
  },
  devices: {
    name: "Mooring lamp",
    model: "QX-99",
    cloud_device_id: "d88b4c0100",
    local_ref: "d88b4c0200",
    on_payload: '{"state":"open"}',
    off_payload: '{"state":"closed"}',
    notes: "On the left mast",
    restrike_min: 9,
  },
  schedules: {
    title: "Regatta",
    description_short: "Bring the oars",
    start_at: "2035-06-05T02:00:00.000Z",
    end_at: "2035-06-05T04:15:00.000Z",
    timezone: "America/Los_Angeles",
  },
  workorders: { title: "Broken shade", description: "A ladder is needed", priority: "high" },
} satisfies {
  areas: Given<AreaInput, "active">;
  hubs: Given<HubInput, "area_id" | "agent_id" | "local_client_id" | "local_client_secret">;
  devices: Given<DeviceInput, "area_id" | "hub_id" | "dept_id">;
  schedules: Given<ScheduleInput, "area_id" | "device_id" | "target" | "rrule" | keyof typeof nightFields>;
  workorders: Given<WorkorderInput, "area_id" | "device_id" | "dept_id" | "assigned_to" | "status">;
};

/** The words with which a list finds a record by one of its fields, and the text of the field on the record's card. */
type Listed = { found?: string; shown?: string | RegExp };

/**
 * What each list does with each field of its records: null where neither its search nor its cards look at it. The compiler
 * asks for a new field here, and tests hold what is said.
 */
export const LISTED: {
  areas: Record<keyof Area, Listed | null>;
  hubs: Record<keyof Hub, Listed | null>;
  devices: Record<keyof Device, Listed | null>;
  schedules: Record<keyof Schedule, Listed | null>;
  workorders: Record<keyof Workorder, Listed | null>;
} = {
  areas: {
    id: null,
    version: null,
    created_at: { shown: /Created\s+\w{3} \d/ },
    updated_at: null,
    name: { found: "quillwort", shown: "Quillwort Bank" },
    type: { found: "river", shown: /river/i },
    location: { found: "otter", shown: "12 Otter Lane" },
    active: { shown: "Active" },
    stagger_sec: null,
  },
  hubs: {
    id: null,
    version: null,
    created_at: null,
    updated_at: null,
    name: { found: "boathouse", shown: "Boathouse hub" },
    area_id: null,
    area_name: { found: "quillwort", shown: "Quillwort Bank" },
    ip_address: { found: "10.66.77.88", shown: "10.66.77.88" },
    port: { shown: "1099" },
    connection_mode: { shown: /local/i },
    agent_id: null,
    agent_name: null,
    notes: { shown: "Above the oars" },
    has_local_credentials: null,
  },
  devices: {
    id: null,
    version: null,
    created_at: null,
    updated_at: null,
    name: { found: "mooring", shown: "Mooring lamp" },
    area_id: null,
    area_name: { found: "quillwort", shown: "Quillwort Bank" },
    hub_id: null,
    hub_name: { found: "boathouse", shown: "Boathouse hub" },
    dept_id: { shown: "Org-wide" },
    model: { found: "qx-99", shown: "QX-99" },
    cloud_device_id: { shown: "d88b4c0100" },
    local_ref: null,
    on_payload: null,
    off_payload: null,
    notes: null,
    restrike_min: null,
    current_state: { found: "unknown", shown: /unknown/i },
    last_state_at: { shown: /Last update/ },
    problem: null,
    problem_since: null,
    hold: null,
  },
  schedules: {
    id: null,
    version: null,
    created_at: null,
    updated_at: null,
    title: { found: "regatta", shown: "Regatta" },
    area_id: null,
    area_name: { found: "quillwort", shown: "Quillwort Bank" },
    device_id: null,
    device_name: { found: "mooring", shown: "Mooring lamp" },
    target: null,
    description_short: { shown: "Bring the oars" },
    start_at: { shown: "7:00 PM" },
    end_at: { shown: "9:15 PM" },
    rrule: null,
    timezone: null,
    start_sun: null,
    end_sun: null,
    exdates: null,
    calendar_id: null,
    calendar_rule: null,
    status: { found: "scheduled", shown: /scheduled/i },
    last_end_at: null,
  },
  workorders: {
    id: null,
    version: null,
    created_at: { shown: /Created\s+\w{3} \d/ },
    updated_at: null,
    title: { found: "shade", shown: "Broken shade" },
    description: { found: "ladder", shown: "A ladder is needed" },
    status: { found: "open", shown: /open/i },
    priority: { found: "high", shown: /high/i },
    dept_id: { shown: "Org-wide" },
    device_id: { shown: "Mooring lamp" },
    area_id: { shown: "Quillwort Bank" },
    assigned_to: null,
    created_by: null,
    completed_at: null,
    alarm_id: null,
    alarm_over_at: null,
  },
};
