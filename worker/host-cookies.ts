/**
 * The prefix of every cookie over https; it keeps subdomains and plain-http pages from setting one. Browsers accept it over https
 * only.
 */
export const HOST_PREFIX = "__Host-";

/** The request with its cookies' prefix removed, as the screens read it. */
export function withoutPrefixes(request: Request): Request {
  const cookies = request.headers.get("Cookie");
  if (!isHttps(request) || !cookies?.includes(HOST_PREFIX)) return request;
  // An unprefixed cookie of the same name comes from elsewhere.
  const own = cookies.split("; ").filter((cookie) => cookie.startsWith(HOST_PREFIX));
  const headers = new Headers(request.headers);
  headers.set("Cookie", own.map((cookie) => cookie.slice(HOST_PREFIX.length)).join("; "));
  return new Request(request, { headers });
}

/** The screens' response; over https each cookie gets the prefix and Secure. */
export function withPrefixes(request: Request, response: Response): Response {
  const cookies = response.headers.getSetCookie();
  if (!isHttps(request) || cookies.length === 0) return response;
  const headers = new Headers(response.headers);
  headers.delete("Set-Cookie");
  for (const cookie of cookies) {
    headers.append("Set-Cookie", cookie.startsWith(HOST_PREFIX) ? cookie : `${HOST_PREFIX}${cookie}; Secure`);
  }
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

export function isHttps(request: Request): boolean {
  return new URL(request.url).protocol === "https:";
}
