const NAME = "lamplighter_session";

/** The token that the page load's cookie carries (decision 1). */
export function cookieToken(request: Request): string | null {
  const cookies = request.headers.get("Cookie") ?? "";
  return new RegExp(`(?:^|;\\s*)${NAME}=([^;\\s]+)`).exec(cookies)?.[1] ?? null;
}

/** The Set-Cookie that carries the session, or clears it. */
export function sessionCookie(request: Request, session: { token: string; expires_at: string } | null): string {
  const lifetime = session
    ? `Expires=${new Date(session.expires_at).toUTCString()}`
    : "Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT";
  const secure = isLocal(new URL(request.url)) ? "" : "; Secure";
  return `${NAME}=${session?.token ?? ""}; Path=/; ${lifetime}; HttpOnly; SameSite=Lax${secure}`;
}

/** Decision 1: a browser would not send a Secure cookie back to http://localhost everywhere. */
function isLocal({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && ["localhost", "127.0.0.1"].includes(hostname);
}
