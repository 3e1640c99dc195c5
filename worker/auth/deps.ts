import type { Database } from "#db/database";

/** What sign-in needs. There is no Scope yet: nobody is known. */
export type AuthDeps = {
  db: Database;
  /** SESSION_SECRET: signs tokens. */
  secret: string;
  /** The client's network address, by which attempts are counted. */
  address: string;
  now: () => Date;
  newId: () => string;
};
