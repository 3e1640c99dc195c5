import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { optional } from "#app/form";
import { backWith } from "./back-with";

export { loader } from "./unknown";

/** Decision 4; no department is All Departments. */
export async function action({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  return backWith(request, () => context.switchDept(request, optional(form, "dept_id")));
}
