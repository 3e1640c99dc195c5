import type { GuardrailSettings, SystemSettings } from "./records";

/** A placeholder phone number; nothing is ever sent to it. */
export const PLACEHOLDER_RECIPIENT = "+12025550123";

/** The default cloud base is the vendor's open API address. */
export const SYSTEM_DEFAULTS: SystemSettings = {
  YOLINK_UAC_KEY: "",
  YOLINK_CLOUD_BASE: "https://api.yosmart.com",
  PROVIDER_MODE: "mock",
  APP_TIMEZONE: "America/Los_Angeles",
  HUB_CHECK_INTERVAL_SEC: 180,
  HUB_OFFLINE_ALERT_MIN: 15,
  SESSION_IDLE_MIN: 60,
  SECOND_FACTOR_ROLES: [],
  CITY_LAT: null,
  CITY_LON: null,
};

export const GUARDRAIL_DEFAULTS: GuardrailSettings = {
  HARD_CURFEW_OFF: "23:45",
  MAX_ON_DURATION_MIN: 240,
  BLACKOUT_WINDOW: "00:00-05:00",
  WATCHDOG_ENABLED: true,
  WATCHDOG_INTERVAL_SEC: 60,
  YOLINK_VERIFY_DELAY_SEC: 8,
  RETRY_BACKOFFS_SEC: [10, 30],
  NOTIFY_ON_FAIL: true,
  NOTIFY_SMS_TO: PLACEHOLDER_RECIPIENT,
};
