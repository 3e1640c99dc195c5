import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { pathWithoutDialog } from "#app/router/view";
import { optional } from "#app/forms/form-answer";
import { backWith, refererPath } from "./back-with";

export { loader } from "./unknown";

/** Empty means All Departments. */
export async function action({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  return backWith(sameList(refererPath(request)), () => context.switchDept(optional(form, "dept_id")));
}

/** Keeps filters and order, but drops the page and the department filter. */
function sameList(page: string): string {
  const url = new URL(page, "http://here");
  for (const name of ["page", "cursor", "dept"]) url.searchParams.delete(name);
  return pathWithoutDialog(url);
}
