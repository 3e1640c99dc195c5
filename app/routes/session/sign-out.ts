import { redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";
import { setFlash } from "#app/session/flash";
import { loginPath } from "#app/session/return-path";

export { loader } from "./unknown";

/** Ends the session on both carriers; the login screen clears local storage. */
export async function action({ context, request }: ActionFunctionArgs) {
  const reason = (await request.clone().formData()).get("reason");
  const response = await context.signOut();
  const expired = reason === "expired";
  setFlash(response.headers, expired ? "expired" : "signed_out");
  // Who leaves begins anew at the dashboard; whose session ran out comes back to where they were.
  const page = expired ? URL.parse(request.headers.get("Referer") ?? "") : null;
  return redirect(page ? loginPath(page) : "/login", { headers: response.headers });
}
