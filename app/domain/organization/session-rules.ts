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

/** What is stored of a session, and since when the membership opens only younger ones. Instants are ISO 8601. */
type Stored = {
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
  last_active_at: string | null;
  sessions_end_at: string | null;
};

/** Whether a session does not open the organization any more: it was ended, or its time is up. */
export function isSessionOver(session: Stored, idle_min: number, now: Date): boolean {
  const { created_at, expires_at, revoked_at, last_active_at, sessions_end_at } = session;
  if (revoked_at !== null || expires_at <= now.toISOString()) return true;
  if (sessions_end_at !== null && created_at <= sessions_end_at) return true;
  return isIdle(last_active_at ?? created_at, idle_min, now);
}

/**
 * What a signed-in person must do before anything else: set a password, redeem their invitation, or set up the second
 * factor that their organization requires.
 */
export type Restriction = "password" | "code" | "second_factor";

/** What it is, by the code that opened the session, the membership and the second factor; null where there is nothing. */
export function restrictionOf(
  { code_hash, pending }: { code_hash: string | null; pending: boolean },
  { enabled, required }: { enabled: boolean; required: boolean },
): Restriction | null {
  if (code_hash !== null) return "password";
  if (pending) return "code";
  return required && !enabled ? "second_factor" : null;
}

/** Stored activity may be up to five minutes old, which this adds, so that no session ends early. */
function isIdle(last_active_at: string, idle_min: number, now: Date): boolean {
  return now.getTime() > Date.parse(last_active_at) + idle_min * 60_000 + TOUCH_EVERY_MS;
}

/** The header of a redirect to the sign-in page that says: there was a session, and it is over. */
export const SESSION_ENDED = "X-Session-Ended";
