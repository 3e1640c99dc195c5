import { redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";
import type { ClientActionFunctionArgs } from "@remix-run/react";
import { toast } from "sonner";
import { remain } from "#app/router/stay-on-screen";
import { setFlash } from "#app/session/flash";
import { loginPath, returnPath } from "#app/session/return-path";

export { loader } from "./unknown";

/** Ends the session and clears the cookie; the login screen clears local storage. */
export async function action({ context, request }: ActionFunctionArgs) {
  const reason = (await request.clone().formData()).get("reason");
  const expired = reason === "expired";
  // After signing out the next session starts at the dashboard; after a timeout it returns to the same page.
  const page = expired ? URL.parse(request.headers.get("Referer") ?? "") : null;
  // The page's session is over. One that the cookie has by now was begun beside it since, and is not to end with it.
  if (page && (await isAlive(context))) return redirect(returnPath(new URL(loginPath(page), page)));
  const response = await context.signOut();
  setFlash(response.headers, expired ? "expired" : "signed_out");
  return redirect(page ? loginPath(page) : "/login", { headers: response.headers });
}

function isAlive({ requireNewcomer }: ActionFunctionArgs["context"]): Promise<boolean> {
  return requireNewcomer().then(
    () => true,
    () => false,
  );
}

const FAILED = "Failed to sign out";

/** Whoever was answered with an error page would not know whether they are still signed in. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  try {
    return await serverAction();
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown;
    toast.error(FAILED, { id: FAILED });
    return remain();
  }
}
