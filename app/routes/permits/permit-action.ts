import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { answer, text } from "#app/forms/form-answer";
import { limitSent } from "#app/routes/limits/limit-sent";
import { requireUser } from "#app/session/session";
import { PERMIT_FAILED } from "./permit-failures";

export async function permitAction(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const { APP_TIMEZONE: zone } = await services.settings.find();
  const create = async () => {
    const { warnings } = await services.permits.create(permitSent(form, zone, Date.now()));
    return { ok: true, toast: "Permit created successfully", detail: warnings.join(". ") || null };
  };
  const handlers = {
    create: { run: create },
    remove: { run: () => services.permits.remove(text(form, "id")), done: "Permit taken back" },
  };
  return answer(user, form, handlers, PERMIT_FAILED);
}

/** As of every limit, but that a permit has an end: the service refuses an empty one. */
export function permitSent(form: FormData, zone: string, now: number) {
  const { to, ...sent } = limitSent(form, zone, now);
  return { ...sent, to: to ?? "" };
}
