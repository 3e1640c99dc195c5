import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { answer, text, version } from "#app/forms/form-answer";
import { limitSent } from "#app/routes/limits/limit-sent";
import { requireUser } from "#app/session/session";
import { CLOSURE_FAILED } from "./closure-failures";

export async function closureAction(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const { APP_TIMEZONE: zone } = await services.settings.find();
  const id = text(form, "id");
  const sent = () => limitSent(form, zone, Date.now());
  const edited = () => {
    const { from = null, ...more } = sent();
    return { ...more, from };
  };
  const handlers = {
    create: {
      run: () => services.closures.create(sent()),
      done: "Closure created successfully",
      over: "save",
    },
    save: { run: () => services.closures.save(id, edited(), version(form)), done: "Closure updated successfully" },
    reopen: {
      run: () => services.closures.reopen(id),
      done: `Reopened: ${text(form, "name")}`,
    },
    remove: { run: () => services.closures.remove(id), done: "Closure deleted successfully" },
  };
  return answer(user, form, handlers, CLOSURE_FAILED);
}
