import { areas, devices, hubs, schedules } from "./schema";

/**
 * The columns that the engine plans from; it selects these only. The UPDATE triggers watch the same columns, except those
 * that never change alone; a test compares the two.
 */
export const PLANNED = {
  area: { id: areas.id, updated_at: areas.updated_at, name: areas.name, active: areas.active },
  hub: {
    id: hubs.id,
    area_id: hubs.area_id,
    name: hubs.name,
    ip_address: hubs.ip_address,
    port: hubs.port,
    connection_mode: hubs.connection_mode,
    local_client_id: hubs.local_client_id,
    local_client_secret: hubs.local_client_secret,
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
  },
  schedule: {
    id: schedules.id,
    created_at: schedules.created_at,
    updated_at: schedules.updated_at,
    device_id: schedules.device_id,
    title: schedules.title,
    start_at: schedules.start_at,
    end_at: schedules.end_at,
    rrule: schedules.rrule,
    timezone: schedules.timezone,
    status: schedules.status,
  },
} as const;

export type AreaRow = Pick<typeof areas.$inferSelect, keyof (typeof PLANNED)["area"]>;
export type HubRow = Pick<typeof hubs.$inferSelect, keyof (typeof PLANNED)["hub"]>;
export type DeviceRow = Pick<typeof devices.$inferSelect, keyof (typeof PLANNED)["device"]>;
export type ScheduleRow = Pick<typeof schedules.$inferSelect, keyof (typeof PLANNED)["schedule"]>;
