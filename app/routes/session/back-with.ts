import { redirect } from "@remix-run/cloudflare";
import { logFailure } from "#app/router/log-failure";

/** Redirects to `here` with the result of a switch. A refused one is only logged. */
export async function backWith(here: string, change: () => Promise<{ headers: Headers }>) {
  try {
    const { headers } = await change();
    return redirect(here, { headers });
  } catch (caught) {
    const isRefused = caught instanceof Response && caught.status >= 400;
    if (!isRefused) throw caught;
    logFailure(await caught.text());
    return redirect(here);
  }
}

/** The requesting page's path and query only, so that the redirect stays on this site. */
export function refererPath(request: Request): string {
  const referer = request.headers.get("Referer");
  if (!referer || !URL.canParse(referer)) return "/dashboard";
  const { pathname, search } = new URL(referer);
  return pathname.replace(/^\/+/, "/") + search;
}
