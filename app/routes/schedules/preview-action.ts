import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireUser } from "#app/session/session";
import { previewSent } from "./preview-sent";

export { loader } from "#app/routes/session/unknown";

/** What the form as it is typed would come to, as JSON. */
export async function action(args: ActionFunctionArgs) {
  const { services } = await requireUser(args);
  return Response.json(await previewSent(services.schedules, await args.request.formData(), Date.now()));
}
