import type { User } from "#domain/records";

/**
 * What somebody who is signed in has to do before anything else: set a password, redeem their invitation, or set up
 * the second factor that their organization requires.
 */
export type Restriction = "password" | "code" | "second_factor";

/** A person who is signed in, where they work now, and how long that lasts. */
export type AuthSession = {
  user: User;
  sid: string;
  expires_at: string;
  restriction: Restriction | null;
  /** The one-time code that opened it, while no password has been set. */
  code_hash: string | null;
  /** Minutes without anything that the person causes, after which it ends. */
  idle_min: number;
  last_active_at: string;
  second_factor: { enabled: boolean; required: boolean };
};
