import { redirect } from "@remix-run/cloudflare";

/** Leads back, `here`, with what a switch has changed. A refused one is logged only. */
export async function backWith(here: string, change: () => Promise<{ headers: Headers }>) {
  try {
    const { headers } = await change();
    return redirect(here, { headers });
  } catch (caught) {
    const isRefused = caught instanceof Response && caught.status >= 400;
    if (!isRefused) throw caught;
    console.warn(await caught.text());
    return redirect(here);
  }
}

/** The page that asked; its path and query only, so that no other site can be led to. */
export function pageOf(request: Request): string {
  const referer = request.headers.get("Referer");
  if (!referer || !URL.canParse(referer)) return "/dashboard";
  const { pathname, search } = new URL(referer);
  return pathname.replace(/^\/+/, "/") + search;
}
