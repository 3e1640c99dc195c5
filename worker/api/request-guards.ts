import type { Context, MiddlewareHandler } from "hono";
import type { ApiEnv } from "#worker/api/session";
import { log } from "#worker/log";

const MAX_BODY_BYTES = 256 * 1024;
/** A sender is heard out up to here before it is refused: one that is cut off often does not read the answer. */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024;

/** What holds for every request and every answer, of both doors: size, origin, headers, a request id, a log line. */
export const hygiene: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const started = Date.now();
  c.set("request_id", crypto.randomUUID());
  c.set("csp_nonce", btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)))));
  const refusal = isForeign(c) ? answer(c, 403, "Permission denied") : await boundBody(c);
  if (refusal) c.res = refusal;
  else await next();
  c.res = hardened(c);
  const { request_id, user } = c.var;
  const who = user ? { user_id: user.id, org_id: user.current_org_id } : {};
  const { method, path } = c.req;
  log("info", "request", { request_id, method, path, status: c.res.status, ms: Date.now() - started, ...who });
};

export function isApi(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

/**
 * A page's cookie travels with requests that other sites make, so a write must say that it comes from here. /api has
 * no cookie, so nothing to protect.
 */
function isForeign(c: Context<ApiEnv>): boolean {
  if (isApi(c.req.path) || ["GET", "HEAD"].includes(c.req.method)) return false;
  const origin = c.req.header("Origin");
  if (origin === undefined) return c.req.header("Sec-Fetch-Site") !== "same-origin";
  return origin !== new URL(c.req.url).origin;
}

/** Reads the body up to the bound, announced or not, and puts it back; what is larger is not kept. */
async function boundBody(c: Context<ApiEnv>): Promise<Response | null> {
  if (!c.req.raw.body) return null;
  const announced = Number(c.req.header("Content-Length") ?? 0);
  const bytes = announced > MAX_BODY_BYTES ? null : await readAtMost(MAX_BODY_BYTES, c.req.raw.body);
  if (!bytes) return answer(c, 413, "The request is too large: at most 256 KiB");
  c.req.raw = new Request(c.req.raw, { method: c.req.method, body: bytes });
  return null;
}

async function readAtMost(limit: number, body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = body.getReader();
  const bytes = new Uint8Array(limit);
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    if (size + read.value.byteLength <= limit) bytes.set(read.value, size);
    size += read.value.byteLength;
    if (size > MAX_DRAINED_BYTES) {
      void reader.cancel().catch(() => undefined);
      break;
    }
  }
  return size > limit ? null : bytes.slice(0, size);
}

function answer(c: Context<ApiEnv>, status: 403 | 413, detail: string): Response {
  return isApi(c.req.path) ? c.json({ detail }, status) : c.text(detail, status);
}

function hardened(c: Context<ApiEnv>): Response {
  const { protocol } = new URL(c.req.url);
  const headers = new Headers(c.res.headers);
  headers.set("X-Request-Id", c.var.request_id);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("X-Frame-Options", "DENY");
  headers.set("Referrer-Policy", "same-origin");
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  if (protocol === "https:") headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  if (isApi(c.req.path) || !headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", policy(c));
  return new Response(c.res.body, { status: c.res.status, statusText: c.res.statusText, headers });
}

function policy(c: Context<ApiEnv>): string {
  const always = ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"];
  if (isApi(c.req.path)) return always.join("; ");
  return [
    ...always,
    `script-src 'self' 'nonce-${c.var.csp_nonce}'`,
    // Radix and the toaster place what floats by style attributes and a style element of their own.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
  ].join("; ");
}
