import type { Restriction } from "#domain/organization/session-rules";
import type { User } from "#domain/records/records";

/** A signed-in person, their current organization, and how long the session lasts. */
export type AuthSession = {
  user: User;
  sid: string;
  expires_at: string;
  restriction: Restriction | null;
  /** The one-time code that opened the session, until a password is set. */
  code_hash: string | null;
  /** Minutes without a request caused by the person, after which the session ends. */
  idle_min: number;
  last_active_at: string;
  second_factor: { enabled: boolean; required: boolean };
};
