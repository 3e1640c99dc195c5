import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireUser } from "#app/session";
import { text } from "#app/form";

export { loader } from "./unknown";

/** Re-issues cookie and token (decision 4); the browser then loads the page anew, as spec 4 says. */
export async function action(args: ActionFunctionArgs) {
  await requireUser(args);
  const form = await args.request.clone().formData();
  return args.context.switchOrg(args.request, text(form, "org_id"));
}
