import { DAY_MS, HOUR_MS } from "#domain/time/units";

/** The longest texts that are stored, in characters; also the inputs' maxLength. */
export const MAX_NAME = 120;
export const MAX_TITLE = 200;
export const MAX_NOTES = 2000;
export const MAX_DESCRIPTION = 5000;

/** The longest an area's lights may wait for one another, and a lamp may cool. */
export const MAX_STAGGER_SEC = 60;
export const MAX_RESTRIKE_MIN = 30;

/** How far ahead the end of a toggle, and that of an emergency, may be. */
export const MAX_HOLD_MS = 24 * HOUR_MS;
export const MAX_EMERGENCY_MS = 12 * HOUR_MS;

/** How far from now a permit or a closure may begin: ten years. */
export const MAX_BEGIN_MS = 10 * 366 * DAY_MS;

/** The most devices of one group. */
export const MAX_GROUP = 500;

/** What one import may hold: rows of each kind, and bytes of its file. */
export const MAX_IMPORT_ROWS = 10_000;
export const MAX_IMPORT_BYTES = 5 * 1024 * 1024;

/** How many devices of the hub account are added at a time: as many as one batch of the database may write. */
export const MOST_ADDED = 200;

/** The smallest and largest value of each number in the settings. */
export const BOUNDS = {
  HUB_CHECK_INTERVAL_SEC: { min: 30, max: 86_400 },
  HUB_OFFLINE_ALERT_MIN: { min: 1, max: 1440 },
  SESSION_IDLE_MIN: { min: 5, max: 720 },
  MAX_ON_DURATION_MIN: { min: 1, max: 1440 },
  WATCHDOG_INTERVAL_SEC: { min: 15, max: 3600 },
  YOLINK_VERIFY_DELAY_SEC: { min: 1, max: 60 },
} as const;
