const YEAR_SEC = 365 * 86_400;

/** Whether '/' opens the search in this browser: in a cookie, as the theme is, so that the first paint has the right hint. */
export function hasSearchKey(request: Request): boolean {
  return !/(?:^|; )search_key=off(?:;|$)/.test(request.headers.get("Cookie") ?? "");
}

/** The key is on without a cookie. */
export function searchKeyCookie(isOn: boolean): string {
  return `search_key=off; Path=/; Max-Age=${isOn ? 0 : YEAR_SEC}; HttpOnly; SameSite=Lax`;
}
