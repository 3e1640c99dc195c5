import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { text } from "#app/forms/form-answer";
import { backWith, refererPath } from "./back-with";

export { loader } from "./unknown";

/** Re-issues cookie and token; the browser then loads the screen again for the other organization. */
export async function action({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const [screen = "/dashboard"] = refererPath(request).split("?");
  // What is due before anything else is due in the organization that is left.
  return backWith(screen === "/welcome" ? "/dashboard" : screen, () => context.switchOrg(text(form, "org_id")));
}
