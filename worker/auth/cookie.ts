import { parse, serialize } from "hono/utils/cookie";
import { HOST_PREFIX, isHttps } from "#worker/host-cookies";

const SESSION = "lamplighter_session";
const DEVICE = "lamplighter_device";

type Token = { token: string; expires_at: string };

/** The token in the page's session cookie. */
export function cookieToken(request: Request): string | null {
  return read(request, SESSION);
}

/** The Set-Cookie that carries the session, or clears it. */
export function sessionCookie(request: Request, session: Token | null): string {
  return write(request, SESSION, session);
}

/** The token of the known-device cookie. */
export function deviceToken(request: Request): string | null {
  return read(request, DEVICE);
}

export function deviceCookie(request: Request, device: Token): string {
  return write(request, DEVICE, device);
}

function read(request: Request, name: string): string | null {
  const known = nameFor(request, name);
  return parse(request.headers.get("Cookie") ?? "", known)[known] || null;
}

function write(request: Request, name: string, value: Token | null): string {
  const lifetime = value ? { expires: new Date(value.expires_at) } : { maxAge: 0 };
  const common = { path: "/", httpOnly: true, sameSite: "Lax", secure: isHttps(request) } as const;
  return serialize(nameFor(request, name), value?.token ?? "", { ...common, ...lifetime });
}

function nameFor(request: Request, name: string): string {
  return isHttps(request) ? HOST_PREFIX + name : name;
}
