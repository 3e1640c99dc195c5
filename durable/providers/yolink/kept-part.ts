import type { SessionPart, SessionStore } from "#durable/providers/session-store";
import type { Account } from "./endpoint";

/**
 * One part of what is known of an account, kept for the object's next life. `owner` is stored with it and tells whose it
 * is, since other credentials begin anew.
 */
export function keptPart<T extends object>(store: SessionStore, account: Account, part: SessionPart) {
  /** One after the other, so that what is kept is the latest. */
  let saving: Promise<void> = Promise.resolve();

  return {
    /** Null where nothing was kept for these credentials at this address. */
    load: async (): Promise<T | null> => {
      const owner = await ownerOf(account);
      const kept = await store.load<T & { owner: string }>(account.key, part);
      return kept?.owner === owner ? kept : null;
    },

    /** Never rejects. */
    save: (value: T): Promise<void> => {
      saving = saving
        .then(async () => store.save(account.key, part, { owner: await ownerOf(account), ...value }))
        .catch(() => undefined); // it costs a call at the next wake, and nothing else
      return saving;
    },
  };
}

/** Tells whether what was kept belongs to these credentials at this address, without keeping them once more. */
async function ownerOf({ base, client_id, client_secret }: Account): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([base, client_id, client_secret]));
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
