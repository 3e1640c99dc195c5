import { redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";
import { setFlash } from "#app/session/flash";

export { loader } from "./unknown";

/** Ends the session on both carriers (decision 3); the login screen clears local storage. */
export async function action({ context, request }: ActionFunctionArgs) {
  const reason = (await request.clone().formData()).get("reason");
  const response = await context.signOut(request);
  setFlash(response.headers, reason === "expired" ? "expired" : "signed_out");
  return redirect("/login", { headers: response.headers });
}
