import { writeCookie } from "#app/session/browser-cookie";

/**
 * Pages for browsers without script. A <noscript> refresh sets this cookie; from then on lists arrive with the page instead
 * of after it, dialogs are separate pages, and toasts are texts on the page. A running script removes the cookie.
 */
const MARK = "script=off";

export function isNoScript(request: Request): boolean {
  return request.headers.get("Cookie")?.split("; ").includes(MARK) ?? false;
}

export function markNoScript(headers: Headers): void {
  headers.append("Set-Cookie", `${MARK}; Path=/; SameSite=Lax`);
}

/** Runs in the browser. */
export function unmarkNoScript(): void {
  if (document.cookie.includes(MARK)) writeCookie("script=; Path=/; Max-Age=0; SameSite=Lax");
}
