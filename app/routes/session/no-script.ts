import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { markNoScript } from "#app/no-script/no-script";
import { refererPath } from "./back-with";

/** The target of a page whose script does not run. */
export function loader({ request }: LoaderFunctionArgs) {
  const headers = new Headers();
  markNoScript(headers);
  return redirect(refererPath(request), { headers });
}
