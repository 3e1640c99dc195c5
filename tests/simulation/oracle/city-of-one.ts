import { NEVER_CHANGED, type City, type CityDevice, type CityPlan } from "./city";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const NOON = Date.parse("2026-06-10T12:00:00.000Z");

export const DEVICE: CityDevice = {
  lamp: "lamp",
  hub: null,
  dept: "north",
  area: "a",
  area_since: 0,
  restrike_min: 0,
  changed_at: 0,
};

/** A city of one light, without rules. */
export const CITY: City = {
  epoch: "1",
  version: 1,
  rules: { HARD_CURFEW_OFF: "", BLACKOUT_WINDOW: "", MAX_ON_DURATION_MIN: 600, zone: "UTC" },
  changed_at: NEVER_CHANGED,
  mode: "mock",
  watchdog: false,
  watchdog_sec: 900,
  hub_check_sec: 86_400,
  positions: [],
  areas: new Map([
    ["a", { type: "park", isActive: true, changed_at: 0, written_at: 0, stagger_sec: 0, positions: null }],
  ]),
  restored_at: 0,
  isServed: true,
  served_at: 0,
  hubs: new Set(),
  access: new Map(),
  devices: new Map([["d", DEVICE]]),
  plans: new Map(),
  groups: new Map(),
  calendars: new Map(),
  policies: new Map(),
  permits: new Map(),
  closures: new Map(),
};

/** Its booking from 1 PM to 2 PM. */
export const WINDOW: CityPlan = {
  id: "s",
  target: { kind: "device", id: "d" },
  title: "Practice",
  start_at: new Date(NOON + HOUR).toISOString(),
  end_at: new Date(NOON + 2 * HOUR).toISOString(),
  rrule: null,
  timezone: "UTC",
  status: "scheduled",
  start_sun: null,
  end_sun: null,
  night: null,
  skips: [],
  calendar_id: null,
  calendar_rule: null,
  made_at: 0,
  changed_at: 0,
};
