import { ROLES, type Role } from "#domain/enums";
import { SYSTEM_DEFAULTS } from "#domain/records/setting-defaults";

/** A session's activity is written at most this often. */
export const TOUCH_EVERY_MS = 5 * 60_000;

/** An organization's rules for sessions: minutes until an idle one ends, and the roles that need a second factor. */
export function rulesOf(settings: { key: string; value: unknown }[]): { idle_min: number; roles: readonly Role[] } {
  const kept = new Map(settings.map(({ key, value }) => [key, value]));
  const idle = kept.get("SESSION_IDLE_MIN");
  const roles = kept.get("SECOND_FACTOR_ROLES");
  return {
    idle_min: typeof idle === "number" ? idle : SYSTEM_DEFAULTS.SESSION_IDLE_MIN,
    roles: Array.isArray(roles) ? ROLES.filter((role) => roles.includes(role)) : SYSTEM_DEFAULTS.SECOND_FACTOR_ROLES,
  };
}

/** Stored activity may be up to five minutes old, which this adds, so that no session ends early. */
export function isIdle(last_active_at: string, idle_min: number, now: Date): boolean {
  return now.getTime() > Date.parse(last_active_at) + idle_min * 60_000 + TOUCH_EVERY_MS;
}

/** The header of a redirect to the sign-in page that says: there was a session, and it is over. */
export const SESSION_ENDED = "X-Session-Ended";
