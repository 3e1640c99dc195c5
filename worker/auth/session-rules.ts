import { ROLES, type Role } from "#domain/enums";
import { SYSTEM_DEFAULTS } from "#domain/setting-defaults";

/** A session's activity is written at most this often. */
export const TOUCH_EVERY_MS = 5 * 60_000;

/** What an organization asks of its sessions: minutes until an idle one ends, and the roles with a second factor. */
export function rulesOf(settings: { key: string; value: unknown }[]): { idle_min: number; roles: readonly Role[] } {
  const kept = new Map(settings.map(({ key, value }) => [key, value]));
  const idle = kept.get("SESSION_IDLE_MIN");
  const roles = kept.get("SECOND_FACTOR_ROLES");
  return {
    idle_min: typeof idle === "number" ? idle : SYSTEM_DEFAULTS.SESSION_IDLE_MIN,
    roles: Array.isArray(roles) ? ROLES.filter((role) => roles.includes(role)) : SYSTEM_DEFAULTS.SECOND_FACTOR_ROLES,
  };
}

/** Activity may be five minutes older in the table than it was, so nobody is cut off before their time. */
export function isIdle(last_active_at: string, idle_min: number, now: Date): boolean {
  return now.getTime() > Date.parse(last_active_at) + idle_min * 60_000 + TOUCH_EVERY_MS;
}
