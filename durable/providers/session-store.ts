/** What is kept of an account between two lives of the object. */
export type SessionPart = "access" | "devices";

/**
 * Keeps what the sessions paid for. An idle object is put to sleep after ten seconds, and would otherwise ask for a token
 * and the whole list each time it wakes, out of the same budget as the switching.
 */
export type SessionStore = {
  /** Null where nothing was kept, or it can't be read any more. */
  load: <T>(account: string, part: SessionPart) => Promise<T | null>;
  /** Null forgets it. */
  save: (account: string, part: SessionPart, value: object | null) => Promise<void>;
};

/** A row of the object's SQLite holds 2 MB at most; a list of many thousand devices is more. */
const CHUNK_CHARS = 1_000_000;

/** In the object's SQLite, sealed: whoever has a token can switch lamps. */
export function sqlSessionStore(
  sql: SqlStorage,
  seal: (plain: string) => Promise<string>,
  unseal: (sealed: string) => Promise<string>,
): SessionStore {
  return {
    load: async (account, part) => {
      const rows = sql
        .exec<{ body: string }>("SELECT body FROM sessions WHERE account = ? AND part = ? ORDER BY n", account, part)
        .toArray();
      if (rows.length === 0) return null;
      try {
        return JSON.parse(await unseal(rows.map(({ body }) => body).join("")));
      } catch {
        return null; // sealed with another key
      }
    },

    save: async (account, part, value) => {
      const sealed = value && (await seal(JSON.stringify(value)));
      sql.exec("DELETE FROM sessions WHERE account = ? AND part = ?", account, part);
      for (let n = 0; sealed !== null && n * CHUNK_CHARS < sealed.length; n += 1) {
        const body = sealed.slice(n * CHUNK_CHARS, (n + 1) * CHUNK_CHARS);
        sql.exec("INSERT INTO sessions (account, part, n, body) VALUES (?, ?, ?, ?)", account, part, n, body);
      }
    },
  };
}

/** Where nothing outlives the process. */
export const FORGETFUL: SessionStore = {
  load: async () => null,
  save: async () => undefined,
};

/** A hub that is gone leaves nothing behind that opens its lamps. */
export function forgetSessions(sql: SqlStorage, account: string): void {
  sql.exec("DELETE FROM sessions WHERE account = ?", account);
}
