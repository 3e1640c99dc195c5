import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { answer, text } from "#app/forms/form-answer";
import { endSent, momentSent } from "#app/forms/moment-sent";
import { targetOfValue } from "#app/forms/target-value";
import { requireUser } from "#app/session/session";
import { PERMIT_FAILED } from "./permit-failures";

export async function permitAction(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const { APP_TIMEZONE: zone } = await services.settings.find();
  const create = async () => {
    const { warnings } = await services.permits.create(permitSent(form, zone, Date.now()));
    return { ok: true, toast: "Permit created successfully", detail: warnings.join(" ") || null };
  };
  const handlers = {
    create: { run: create },
    remove: { run: () => services.permits.remove(text(form, "id")), done: "Permit taken back" },
  };
  return answer(user, form, handlers, PERMIT_FAILED);
}

/**
 * Without a start the service lets it begin now: a form that is sent again has to say the same as before. `now` is epoch
 * ms.
 */
export function permitSent(form: FormData, zone: string, now: number) {
  return {
    target: targetOfValue(text(form, "target")),
    from: momentSent(form, "from", zone) ?? undefined,
    to: endSent(form, "to", zone, now) ?? "",
    reason: text(form, "reason"),
  };
}
