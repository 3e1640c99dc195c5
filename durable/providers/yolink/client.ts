import type { Json } from "#domain/fields/json";
import { failed, nothingDone, type ParsedResponse } from "./parse-response";
import { Session, type Account, type Bounds, type Device, type Got } from "./session";
import type { Post } from "#durable/providers/http-post";
import type { SessionStore } from "#durable/providers/session-store";

export type Client = ReturnType<typeof yolinkClient>;

/** What to ask a device, once its type is known; or why not. */
export type Question = (device: Device) => { ok: true; method: string; params: Json } | { ok: false; detail: string };

/** The vendor's protocol, the same for the cloud and for a local hub. Nothing here throws. */
export function yolinkClient({ post, now, store }: { post: Post; now: () => number; store: SessionStore }) {
  const sessions = new Map<string, Session>();

  /** Other credentials or another address begin anew: no token goes where it does not belong. */
  function sessionOf(account: Account): Session {
    const known = sessions.get(account.key);
    if (known && isSame(known.account, account)) return known;
    const session = new Session(account, post, now, store);
    sessions.set(account.key, session);
    return session;
  }

  return {
    /** The devices of an account, asked for anew: a sign of life. */
    list: (account: Account, bounds: Bounds) => sessionOf(account).list(bounds),

    /** The devices of an account as they were last listed. */
    known: async (account: Account, bounds: Bounds) => values(await sessionOf(account).known(bounds)),

    /** The same, asked for anew; null where that was done a moment ago. */
    again: async (account: Account, bounds: Bounds) => {
      const session = sessionOf(account);
      return session.isListOld ? values(await session.list(bounds)) : null;
    },

    /**
     * Asks one device. Where its token is not accepted the list is loaded again, then the access token renewed, each
     * once.
     */
    ask: async (account: Account, id: string, question: Question, bounds: Bounds): Promise<ParsedResponse> => {
      const session = sessionOf(account);
      const renewed = { list: false, access: false };
      for (;;) {
        const access = await session.access(bounds);
        if (!access.ok) return nothingDone(access);
        const found = await session.device(id, bounds);
        if (!found.ok) return found;
        if (!found.value) return failed("refused", `it has no device ${id}`, { where: "device" });
        const response = await askOnce(session, access.value, found.value, question, bounds);
        if (response.ok || response.then === null) return response;
        if (response.then !== "access" && !renewed.list) {
          renewed.list = true;
          const listed = await session.renewList(found.value, bounds);
          if (!listed.ok) return listed;
        } else if (response.then !== "list" && !renewed.access) {
          renewed.access = true;
          session.dropAccess(access.value);
        } else return response;
      }
    },
  };
}

async function askOnce(
  session: Session,
  token: string,
  device: Device,
  question: Question,
  bounds: Bounds,
): Promise<ParsedResponse> {
  const asked = question(device);
  if (!asked.ok) return failed("refused", asked.detail, { where: "device" });
  const { method, params } = asked;
  return session.send(token, { method, targetDevice: device.id, token: device.token, params }, bounds);
}

function values<T>(listed: Got<Map<string, T>>): Got<T[]> {
  return listed.ok ? { ok: true, value: [...listed.value.values()] } : listed;
}

function isSame(one: Account, other: Account): boolean {
  return one.base === other.base && one.client_id === other.client_id && one.client_secret === other.client_secret;
}
