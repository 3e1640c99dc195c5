import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { answer, text, version } from "#app/forms/form-answer";
import { momentSent } from "#app/forms/moment-sent";
import { targetOfValue } from "#app/forms/target-value";
import { requireUser } from "#app/session/session";
import { CLOSURE_FAILED } from "./closure-failures";

/** Without a start a closure begins now, also one that had another; without an end it lasts until somebody reopens the place. */
export async function closureAction(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const { APP_TIMEZONE: zone } = await services.settings.find();
  const id = text(form, "id");
  const closure = () => {
    return {
      target: targetOfValue(text(form, "target")),
      from: momentSent(form, "from", zone) ?? new Date().toISOString(),
      to: momentSent(form, "to", zone),
      reason: text(form, "reason"),
    };
  };
  const now = () => ({ to: new Date().toISOString() });
  const handlers = {
    create: { run: () => services.closures.create(closure()), done: "Closure created successfully" },
    save: { run: () => services.closures.save(id, closure(), version(form)), done: "Closure updated successfully" },
    reopen: { run: () => services.closures.save(id, now(), version(form)), done: `Reopened: ${text(form, "name")}` },
    remove: { run: () => services.closures.remove(id), done: "Closure deleted successfully" },
  };
  return answer(user, form, handlers, CLOSURE_FAILED);
}
