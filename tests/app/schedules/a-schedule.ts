import type { Schedule } from "#domain/records/records";

export const zone = "America/Los_Angeles";

/** Every Tuesday and Thursday from 6 to 10 PM, twenty times. */
export function aSchedule(more: Partial<Schedule> = {}): Schedule {
  return {
    id: "league",
    version: 1,
    created_at: "2026-10-01T00:00:00.000Z",
    updated_at: "2026-10-01T00:00:00.000Z",
    title: "City league",
    area_id: "park",
    area_name: "Park",
    device_id: "mast",
    device_name: "Mast",
    target: { type: "device", id: "mast", name: "Mast", devices: 1 },
    description_short: null,
    start_at: "2026-11-04T02:00:00.000Z",
    end_at: "2026-11-04T06:00:00.000Z",
    rrule: "FREQ=WEEKLY;BYDAY=TU,TH;COUNT=20",
    timezone: zone,
    start_sun: null,
    end_sun: null,
    exdates: [],
    calendar_id: null,
    calendar_rule: null,
    status: "scheduled",
    last_end_at: null,
    ...more,
  };
}
