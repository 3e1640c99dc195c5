import type { Context, MiddlewareHandler } from "hono";
import { NONCE, secureHeaders } from "hono/secure-headers";
import { AGENT_PATH } from "#domain/agent/frames";
import { LIVE_PATH } from "#domain/lists/live";
import { requestPoint } from "#domain/operations/metrics";
import { addressOf } from "#worker/auth/address";
import type { ApiEnv } from "#worker/api/session";
import { log } from "#worker/log";
import { measure } from "#worker/measure";
import { tilesOrigin } from "#worker/map-tiles";

const READS = ["GET", "HEAD"];
const MAX_BODY_BYTES = 256 * 1024;
/** A file of ten thousand lights, and what a form puts around it. */
const MAX_FORM_BYTES = 6 * 1024 * 1024;
/** Settings take a calendar file, with script and without: of one that is too large their form says so. */
const WITH_FILES = ["/import", "/settings", "/settings.data"];
/** The same file in JSON, which writes two letters for each quote, and our export quotes each cell. */
const MAX_IMPORT_BODY_BYTES = 11 * 1024 * 1024;
/** A calendar with as many dates, and as long names, as it may have, also where each letter is escaped. */
const MAX_CALENDAR_BODY_BYTES = 1.5 * 1024 * 1024;
const CALENDAR = /^\/api\/calendars(?:\/[^/]+)?$/;
/** A page of a backup on its way back: rows, of which one may be a plan of five hundred lamps. */
const MAX_RESTORE_BODY_BYTES = 4 * 1024 * 1024;
const RESTORE = /^\/api\/operator\/organizations\/[^/]+\/restore\//;
/** Room for a body; it grows with what comes, since nobody knows yet who is sending, and a worker has 128 MB for all. */
const FIRST_BYTES = 64 * 1024;
/** Reads this much before refusing, because a client that is cut off while sending often never reads the answer. */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024;

/** Guards every request of the API and the screens: body size, origin, request id, log line. */
export const requestGuards: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const started = Date.now();
  c.set("request_id", crypto.randomUUID());
  const refusal = refusalOf(c) ?? (await boundBody(c));
  if (refusal) c.res = refusal;
  else await next();
  if (!isOpened(c.res)) {
    c.res = unlocked(c.res);
    c.res.headers.set("X-Request-Id", c.var.request_id);
    if (isApi(c.req.path) || !c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
  }
  const { request_id, user } = c.var;
  const who = user ? { user_id: user.id, org_id: user.current_org_id } : {};
  const { method, path } = c.req;
  const address = addressOf(c.req.raw, c.env.CLIENT_ADDRESS_HEADER);
  const { status } = c.res;
  const ms = Date.now() - started;
  log("info", "request", { request_id, method, path, status, ms, address, ...who });
  measure(c.env.METRICS, requestPoint(groupOf(path), method, status, ms));
};

function refusalOf(c: Context<ApiEnv>): Response | null {
  if (isPlainHttp(c.req.url))
    return answer(c, 403, "Open this address with https: over plain http nobody can sign in.");
  return isForeign(c) ? answer(c, 403, "Permission denied") : null;
}

/** Browsers drop Secure cookies of plain-http pages, so signing in would fail without a message. */
function isPlainHttp(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

export function isApi(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

/** Requests are measured by group: one with an id in its path is not another. */
function groupOf(path: string): string {
  if (path === AGENT_PATH) return "agent";
  if (path === LIVE_PATH) return "live";
  if (path.startsWith("/api/operator")) return "operator";
  return isApi(path) ? "api" : "page";
}

/**
 * Other sites' requests carry a page's cookie, so a write must show that it comes from this site. /api ignores the cookie
 * and needs no such check.
 */
function isForeign(c: Context<ApiEnv>): boolean {
  if (isApi(c.req.path) || READS.includes(c.req.method)) return false;
  const origin = c.req.header("Origin");
  if (origin === undefined) return c.req.header("Sec-Fetch-Site") !== "same-origin";
  return origin !== new URL(c.req.url).origin;
}

/** Reads the body up to the limit, with or without Content-Length, and puts it back; refuses a larger one. */
async function boundBody(c: Context<ApiEnv>): Promise<Response | null> {
  if (!c.req.raw.body) return null;
  const announced = Number(c.req.header("Content-Length") ?? 0);
  const most = mostBytes(c.req.path);
  const bytes = announced > MAX_DRAINED_BYTES ? null : await readAtMost(most, c.req.raw.body);
  if (!bytes) return answer(c, 413, `The request is too large: at most ${most / 1024} KiB`);
  if (READS.includes(c.req.method)) return answer(c, 400, "A request that only reads may not have a body");
  c.req.raw = new Request(c.req.raw, { method: c.req.method, body: bytes });
  return null;
}

function mostBytes(path: string): number {
  if (path === "/api/imports") return MAX_IMPORT_BODY_BYTES;
  if (WITH_FILES.includes(path)) return MAX_FORM_BYTES;
  if (CALENDAR.test(path)) return MAX_CALENDAR_BODY_BYTES;
  return RESTORE.test(path) ? MAX_RESTORE_BODY_BYTES : MAX_BODY_BYTES;
}

async function readAtMost(limit: number, body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = body.getReader();
  let bytes = new Uint8Array(Math.min(limit, FIRST_BYTES));
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const end = size + read.value.byteLength;
    if (end <= limit) {
      if (end > bytes.byteLength) bytes = grown(bytes, Math.min(limit, Math.max(end, 2 * bytes.byteLength)));
      bytes.set(read.value, size);
    }
    size = end;
    if (size > MAX_DRAINED_BYTES) {
      void reader.cancel().catch(() => undefined);
      break;
    }
  }
  return size > limit ? null : bytes.slice(0, size);
}

function grown(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(length);
  longer.set(bytes);
  return longer;
}

function answer(c: Context<ApiEnv>, status: 400 | 403 | 413, detail: string): Response {
  return isApi(c.req.path) ? c.json({ detail }, status) : c.text(detail, status);
}

/** The headers of a fetched response, from the assets for example, are immutable, so copy it. */
function unlocked(response: Response): Response {
  return new Response(response.body, response);
}

/** Sets the security headers, except those that a route set itself: the API's documentation allows its own style. */
export const securityHeaders: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const policy = isApi(c.req.path) || isSocket(c.req.path) ? API_POLICY : pagePolicy(c.env.MAP_TILES_URL);
  const strictTransportSecurity = c.req.url.startsWith("https:") && "max-age=31536000; includeSubDomains";
  const set = secureHeaders({ ...HEADERS, strictTransportSecurity, contentSecurityPolicy: policy });
  if (!isSocket(c.req.path)) return set(c, next);
  await next();
  if (!isOpened(c.res)) await set(c, () => Promise.resolve());
};

function isSocket(path: string): boolean {
  return path === LIVE_PATH || path === AGENT_PATH;
}

/** A socket was opened. It passes as it is: there is no document to protect, and a copy of the response would close it. */
function isOpened({ status }: Response): boolean {
  return status === 101;
}

const HEADERS = {
  overwrite: false,
  xFrameOptions: "DENY",
  referrerPolicy: "same-origin",
  permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [], usb: [] },
};

const API_POLICY = { defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] };

const PAGE_POLICY = {
  ...API_POLICY,
  scriptSrc: ["'self'", NONCE],
  // Radix and the toaster position popups by style attributes and a style element.
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", "data:"],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  workerSrc: ["'self'"],
  manifestSrc: ["'self'"],
  formAction: ["'self'"],
};

/** Every page may lead to the map without being loaded anew, so each has the policy that the map's tiles need. */
function pagePolicy(tiles_url: string | undefined) {
  const tiles = tilesOrigin(tiles_url);
  return tiles === null ? PAGE_POLICY : { ...PAGE_POLICY, connectSrc: [...PAGE_POLICY.connectSrc, tiles] };
}
