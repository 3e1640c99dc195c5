/** What a list's screen is asked for: its query string, which the services read leniently. */
export function queryOf(request: Request): Record<string, string> {
  return Object.fromEntries(new URL(request.url).searchParams);
}
