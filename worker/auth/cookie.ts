import { parse, serialize } from "hono/utils/cookie";

const NAME = "lamplighter_session";

/** The token in the page's session cookie. */
export function cookieToken(request: Request): string | null {
  return parse(request.headers.get("Cookie") ?? "", NAME)[NAME] || null;
}

/** The Set-Cookie that carries the session, or clears it. */
export function sessionCookie(request: Request, session: { token: string; expires_at: string } | null): string {
  const lifetime = session ? { expires: new Date(session.expires_at) } : { maxAge: 0 };
  const secure = !isLocal(new URL(request.url));
  return serialize(NAME, session?.token ?? "", { path: "/", httpOnly: true, sameSite: "Lax", secure, ...lifetime });
}

/** Not every browser sends a Secure cookie back to http://localhost. */
function isLocal({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && ["localhost", "127.0.0.1"].includes(hostname);
}
