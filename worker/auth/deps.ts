import type { Database } from "#db/database";

/** What sign-in needs. There is no Scope yet, because nobody is signed in. */
export type AuthDeps = {
  db: Database;
  /** SESSION_SECRET: signs tokens and the known-device cookie. */
  secret: string;
  /** SETTINGS_KEY: seals the secrets of authenticator apps. */
  settings_key: string;
  /** The client's network address, for counting attempts. */
  address: string;
  /** The known-device cookie of the request. */
  device_token: string | null;
  /** The session cookie of the request; signing in ends its session. */
  cookie_token: string | null;
  user_agent: string | null;
  /** The form's idempotency key, or null. */
  idempotency_key: string | null;
  /** Whether the demo accounts exist (DEMO=on). */
  demo: boolean;
  /** The platform's rate limit. */
  sign_ins: Pick<RateLimit, "limit">;
  /** Sessions in the organization have ended or moved: their browsers' sockets are closed. Never fails, nobody waits. */
  sessionsChanged: (org_id: string) => void;
  /** Somebody has joined the organization: screens load its people again. Never fails, nobody waits. */
  joined: (org_id: string) => void;
  now: () => Date;
  newId: () => string;
};
