/** Over https every cookie of the screens has this prefix: no subdomain and no plain-http page can set one. */
const PREFIX = "__Host-";

/** The request as the screens read it, with their cookies' own names. */
export function withoutPrefixes(request: Request): Request {
  const cookies = request.headers.get("Cookie");
  if (!isHttps(request) || !cookies?.includes(PREFIX)) return request;
  // An unprefixed cookie of the same name was set by somebody else.
  const own = cookies.split("; ").filter((cookie) => cookie.startsWith(PREFIX));
  const headers = new Headers(request.headers);
  headers.set("Cookie", own.map((cookie) => cookie.slice(PREFIX.length)).join("; "));
  return new Request(request, { headers });
}

/** The screens' answer as it is sent: over https each cookie has the prefix, and Secure. */
export function withPrefixes(request: Request, response: Response): Response {
  const cookies = response.headers.getSetCookie();
  if (!isHttps(request) || cookies.length === 0) return response;
  const headers = new Headers(response.headers);
  headers.delete("Set-Cookie");
  for (const cookie of cookies) {
    headers.append("Set-Cookie", cookie.startsWith(PREFIX) ? cookie : `${PREFIX}${cookie}; Secure`);
  }
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

function isHttps(request: Request): boolean {
  return new URL(request.url).protocol === "https:";
}
