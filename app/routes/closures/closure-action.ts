import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { answer, text, version } from "#app/forms/form-answer";
import { endSent, momentSent } from "#app/forms/moment-sent";
import { targetOfValue } from "#app/forms/target-value";
import { requireUser } from "#app/session/session";
import { CLOSURE_FAILED } from "./closure-failures";

export async function closureAction(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const { APP_TIMEZONE: zone } = await services.settings.find();
  const id = text(form, "id");
  const sent = () => closureSent(form, zone, Date.now());
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

/**
 * Without a start it begins now, also one that had another; without an end it lasts until somebody reopens the place. The
 * moment of it is left to the service: a form that is sent again has to say the same as before. `now` is epoch ms.
 */
export function closureSent(form: FormData, zone: string, now: number) {
  return {
    target: targetOfValue(text(form, "target")),
    from: momentSent(form, "from", zone) ?? undefined,
    to: endSent(form, "to", zone, now),
    reason: text(form, "reason"),
  };
}
