/** The screens that one can come back to; nothing else, least of all another site. */
const SCREEN =
  /^\/(?:(?:areas|devices)(?:\/[^/]+)?|hubs|schedules|workorders|history|events|connectivity|settings|guardrails|departments)$/;

/** The sign-in page for somebody who wanted to see a page; after signing in they get there. */
export function loginPath(wanted: URL): string {
  if (!SCREEN.test(wanted.pathname)) return "/login";
  return `/login?${new URLSearchParams({ next: wanted.pathname + wanted.search })}`;
}

/** Where to go after signing in: the screen that was wanted, else the dashboard. */
export function returnPath(login: URL): string {
  const wanted = URL.parse(login.searchParams.get("next") ?? "", login.origin);
  if (wanted?.origin !== login.origin || !SCREEN.test(wanted.pathname)) return "/dashboard";
  return wanted.pathname + wanted.search;
}
