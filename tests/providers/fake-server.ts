import { FORGETFUL } from "#durable/providers/session-store";
import { yolinkClient, type Client } from "#durable/providers/yolink/client";
import type { Account, Bounds } from "#durable/providers/yolink/endpoint";
import type { Post, Reply } from "#durable/providers/http-post";

export type Asked = {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** `token`, or the packet's method. */
  method: string;
  packet: Record<string, unknown>;
  timeout_ms: number;
  max_bytes: number;
};

type Said = Record<string, unknown> | Reply;

export type FakeServer = {
  /** Epoch ms. */
  now: number;
  asked: Asked[];
  /** Its replies by method, or by `token`. */
  says: Record<string, Said | ((asked: Asked) => Said | Promise<Said>)>;
  methods: () => string[];
  bounds: (more?: Partial<Bounds>) => Bounds;
  client: Client;
};

export const ACCOUNT: Account = { key: "cloud", base: "http://end", client_id: "ua_1", client_secret: "sec_1" };

/**
 * A fake cloud or hub with a clock of its own. It issues a token, lists one Switch and one hub and answers every call
 * with success, unless `says` has a reply for the method.
 */
export function aFakeServer(): FakeServer {
  const asked: Asked[] = [];
  const says: FakeServer["says"] = {
    token: { access_token: "access-1", expires_in: 7200 },
    "Home.getDeviceList": list(["aa", "Switch"], ["bb", "Hub", "North hub"]),
  };
  const post: Post = async ({ url, headers, body }, limits) => {
    const packet = url.endsWith("/token") ? {} : JSON.parse(body);
    const one = { url, headers, body, ...limits, packet, method: packet.method ?? "token" };
    asked.push(one);
    const said = says[one.method] ?? ok();
    const told = typeof said === "function" ? await said(one) : said;
    return isReply(told) ? told : { ok: true, status: 200, text: JSON.stringify(told) };
  };
  const end: FakeServer = {
    now: 1_000_000,
    asked,
    says,
    methods: () => asked.map(({ method }) => method),
    bounds: (more) => ({ until: end.now + 5_000, not_after: null, acquire: () => null, ...more }),
    client: yolinkClient({ post, now: () => end.now, store: FORGETFUL }),
  };
  return end;
}

export function ok(data: Record<string, unknown> = {}): Said {
  return { code: "000000", desc: "Success", data };
}

export function code(number: string): Said {
  return { code: number, desc: "no" };
}

/** Rows of id, type and name. */
export function list(...rows: string[][]): Said {
  return ok({ devices: rows.map(([deviceId, type, name]) => ({ deviceId, type, name, token: `token-${deviceId}` })) });
}

function isReply(said: Said): said is Reply {
  return typeof said.ok === "boolean";
}
