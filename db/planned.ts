import {
  agents,
  areas,
  calendars,
  closures,
  device_groups,
  devices,
  hubs,
  permits,
  policies,
  schedules,
} from "./schema";

/**
 * The columns that the engine plans from; it selects these only. The UPDATE triggers watch the same columns, except those
 * that never change alone; a test compares the two.
 */
export const PLANNED = {
  area: {
    id: areas.id,
    updated_at: areas.updated_at,
    name: areas.name,
    active: areas.active,
    type: areas.type,
    location: areas.location,
    positions: areas.positions,
    stagger_sec: areas.stagger_sec,
  },
  agent: { id: agents.id, name: agents.name, generation: agents.generation, revoked_at: agents.revoked_at },
  hub: {
    id: hubs.id,
    area_id: hubs.area_id,
    name: hubs.name,
    ip_address: hubs.ip_address,
    port: hubs.port,
    connection_mode: hubs.connection_mode,
    agent_id: hubs.agent_id,
    local_client_id: hubs.local_client_id,
    local_client_secret: hubs.local_client_secret,
  },
  /** Its devices are pulled with it. */
  group: {
    id: device_groups.id,
    updated_at: device_groups.updated_at,
    area_id: device_groups.area_id,
    name: device_groups.name,
  },
  calendar: { id: calendars.id, updated_at: calendars.updated_at, dates: calendars.dates },
  policy: {
    scope: policies.scope,
    scope_id: policies.scope_id,
    updated_at: policies.updated_at,
    HARD_CURFEW_OFF: policies.HARD_CURFEW_OFF,
    BLACKOUT_WINDOW: policies.BLACKOUT_WINDOW,
    MAX_ON_DURATION_MIN: policies.MAX_ON_DURATION_MIN,
  },
  permit: {
    id: permits.id,
    created_at: permits.created_at,
    updated_at: permits.updated_at,
    device_id: permits.device_id,
    group_id: permits.group_id,
    area_id: permits.area_id,
    from_at: permits.from_at,
    to_at: permits.to_at,
    reason: permits.reason,
  },
  closure: {
    id: closures.id,
    created_at: closures.created_at,
    updated_at: closures.updated_at,
    device_id: closures.device_id,
    group_id: closures.group_id,
    area_id: closures.area_id,
    from_at: closures.from_at,
    to_at: closures.to_at,
    reason: closures.reason,
  },
  device: {
    id: devices.id,
    updated_at: devices.updated_at,
    area_id: devices.area_id,
    hub_id: devices.hub_id,
    dept_id: devices.dept_id,
    name: devices.name,
    model: devices.model,
    cloud_device_id: devices.cloud_device_id,
    local_ref: devices.local_ref,
    on_payload: devices.on_payload,
    off_payload: devices.off_payload,
    restrike_min: devices.restrike_min,
    area_since: devices.area_since,
  },
  schedule: {
    id: schedules.id,
    created_at: schedules.created_at,
    updated_at: schedules.updated_at,
    device_id: schedules.device_id,
    group_id: schedules.group_id,
    area_id: schedules.area_id,
    target_since: schedules.target_since,
    title: schedules.title,
    start_at: schedules.start_at,
    end_at: schedules.end_at,
    start_sun: schedules.start_sun,
    end_sun: schedules.end_sun,
    rrule: schedules.rrule,
    timezone: schedules.timezone,
    skips: schedules.skips,
    calendar_id: schedules.calendar_id,
    calendar_rule: schedules.calendar_rule,
    status: schedules.status,
  },
} as const;

type Row<Table extends { $inferSelect: object }, K extends keyof typeof PLANNED> = Pick<
  Table["$inferSelect"],
  keyof (typeof PLANNED)[K] & keyof Table["$inferSelect"]
>;
export type AreaRow = Row<typeof areas, "area">;
export type AgentRow = Row<typeof agents, "agent">;
export type HubRow = Row<typeof hubs, "hub">;
export type GroupRow = Row<typeof device_groups, "group"> & { members: Member[] };
export type CalendarRow = Row<typeof calendars, "calendar">;
/** `id` is its scope and the scope's id, as the changes name it. */
export type PolicyRow = Row<typeof policies, "policy"> & { id: string };
export type PermitRow = Row<typeof permits, "permit">;
export type ClosureRow = Row<typeof closures, "closure">;
export type DeviceRow = Row<typeof devices, "device">;
export type ScheduleRow = Row<typeof schedules, "schedule">;

/** A device of a group, and since when (ISO). */
export type Member = { device_id: string; added_at: string };
