/**
 * Pages for browsers without script. A page asks, by <noscript>, to be marked as such; from then on lists arrive with
 * the page instead of after it, dialogs are pages of their own, and what a toast would say is written on the page. A
 * script that runs takes the mark away.
 */
const MARK = "script=off";

export function isNoScript(request: Request): boolean {
  return request.headers.get("Cookie")?.split("; ").includes(MARK) ?? false;
}

export function markNoScript(headers: Headers): void {
  headers.append("Set-Cookie", `${MARK}; Path=/; SameSite=Lax`);
}

/** In the browser. */
export function unmarkNoScript(): void {
  if (document.cookie.includes(MARK)) document.cookie = "script=; Path=/; Max-Age=0; SameSite=Lax";
}
