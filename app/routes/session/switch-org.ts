import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { text } from "#app/form";
import { backWith } from "./back-with";

export { loader } from "./unknown";

/** Decision 4: re-issues cookie and token; the browser then loads the page anew, as spec 4 says. */
export async function action({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  return backWith(request, () => context.switchOrg(request, text(form, "org_id")));
}
