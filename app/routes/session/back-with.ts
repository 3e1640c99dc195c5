import { redirect } from "@remix-run/cloudflare";

/** Back to the screen that asked, without its dialogs. Spec 8: a refused switch is logged only. */
export async function backWith(request: Request, change: () => Promise<{ headers: Headers }>) {
  const here = pathOf(request.headers.get("Referer")) ?? "/dashboard";
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

/** The path only, so that no other site can be led to. */
function pathOf(referer: string | null): string | null {
  return referer && URL.canParse(referer) ? new URL(referer).pathname.replace(/^\/+/, "/") : null;
}
