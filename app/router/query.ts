/** A screen's query string. The services ignore what they do not know in it. */
export function queryOf(request: Request): Record<string, string> {
  return Object.fromEntries(new URL(request.url).searchParams);
}
