/** The screens that a sign-in may return to, and no other path or site. */
const SCREEN =
  /^\/(?:(?:areas|devices|import)(?:\/[^/]+)?|alarms|closures|permits|hubs|schedules|tonight|workorders|history|events|connectivity|settings(?:\/(?:agents|messages))?|guardrails|departments|account|change-password)$/;

/** The sign-in page that returns to the wanted page. */
export function loginPath(wanted: URL): string {
  if (!SCREEN.test(wanted.pathname)) return "/login";
  return `/login?${new URLSearchParams({ next: wanted.pathname + wanted.search })}`;
}

/** Where to go after signing in: the wanted screen, else the dashboard. */
export function returnPath(login: URL): string {
  const wanted = URL.parse(login.searchParams.get("next") ?? "", login.origin);
  if (wanted?.origin !== login.origin || !SCREEN.test(wanted.pathname)) return "/dashboard";
  return wanted.pathname + wanted.search;
}
