import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireUser } from "#app/session/session";

/** Any unknown path goes to the dashboard, or to /login for the signed out. */
export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  return redirect("/dashboard");
}
