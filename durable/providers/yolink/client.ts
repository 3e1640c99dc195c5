import type { Json } from "#domain/fields/json";
import { failed, nothingDone, type ParsedResponse } from "./parse-response";
import { Access } from "./access";
import type { Got } from "./asked-once";
import { DeviceList, type Device } from "./device-list";
import { Endpoint, type Account, type Bounds } from "./endpoint";
import type { Post } from "#durable/providers/http-post";
import type { SessionStore } from "#durable/providers/session-store";

export type Client = ReturnType<typeof yolinkClient>;

/** What to ask a device, once its type is known; or why not. */
export type Question = (device: Device) => { ok: true; method: string; params: Json } | { ok: false; detail: string };

/** What is known of one account: its access token and its devices, and how it is called. */
type Session = { endpoint: Endpoint; access: Access; devices: DeviceList };

/** The vendor's protocol, the same for the cloud and for a local hub. Nothing here throws. */
export function yolinkClient({ post, now, store }: { post: Post; now: () => number; store: SessionStore }) {
  const sessions = new Map<string, Session>();

  /** Other credentials or another address begin anew: no token goes where it does not belong. */
  function sessionOf(account: Account): Session {
    const known = sessions.get(account.key);
    if (known && isSame(known.endpoint.account, account)) return known;
    const endpoint = new Endpoint(account, post, now);
    const access = new Access(endpoint, store);
    const session = { endpoint, access, devices: new DeviceList(endpoint, access, store) };
    sessions.set(account.key, session);
    return session;
  }

  return {
    /** The devices of an account, asked for anew: a sign of life. */
    list: (account: Account, bounds: Bounds) => sessionOf(account).devices.list(bounds),

    /** The devices of an account as they were last listed. */
    known: async (account: Account, bounds: Bounds) => values(await sessionOf(account).devices.known(bounds)),

    /** The same, asked for anew; null where that was done a moment ago. */
    again: async (account: Account, bounds: Bounds) => {
      const { devices } = sessionOf(account);
      return devices.isOld ? values(await devices.list(bounds)) : null;
    },

    /**
     * Asks one device. Where its token is not accepted the list is loaded again, then the access token renewed, each
     * once.
     */
    ask: async (account: Account, id: string, question: Question, bounds: Bounds): Promise<ParsedResponse> => {
      const { endpoint, access, devices } = sessionOf(account);
      const renewed = { list: false, access: false };
      for (;;) {
        const token = await access.get(bounds);
        if (!token.ok) return nothingDone(token);
        const found = await devices.find(id, bounds);
        if (!found.ok) return found;
        if (!found.value) return failed("refused", `it has no device ${id}`, { where: "device" });
        const response = await askOnce(endpoint, token.value, found.value, question, bounds);
        if (response.ok || response.then === null) return response;
        if (response.then !== "access" && !renewed.list) {
          renewed.list = true;
          const listed = await devices.renew(found.value, bounds);
          if (!listed.ok) return listed;
        } else if (response.then !== "list" && !renewed.access) {
          renewed.access = true;
          access.drop(token.value);
        } else return response;
      }
    },
  };
}

async function askOnce(
  endpoint: Endpoint,
  token: string,
  device: Device,
  question: Question,
  bounds: Bounds,
): Promise<ParsedResponse> {
  const asked = question(device);
  if (!asked.ok) return failed("refused", asked.detail, { where: "device" });
  const { method, params } = asked;
  return endpoint.send(token, { method, targetDevice: device.id, token: device.token, params }, bounds);
}

function values<T>(listed: Got<Map<string, T>>): Got<T[]> {
  return listed.ok ? { ok: true, value: [...listed.value.values()] } : listed;
}

function isSame(one: Account, other: Account): boolean {
  return one.base === other.base && one.client_id === other.client_id && one.client_secret === other.client_secret;
}
