import { data, type ActionFunctionArgs } from "@remix-run/cloudflare";
import type { ClientActionFunctionArgs } from "@remix-run/react";
import { stayOnScreen } from "#app/components/stay-on-screen";
import { refused, text, type Answer } from "#app/form";
import { requireUser } from "#app/session";
import { Refusal } from "#domain/errors";

export { loader } from "./unknown";

const FAILED = { change: "Failed to change password" };
const UNLIKE = "The two new passwords are not the same";

/** Decision 27: the page that asked stays signed in, by a new session. */
export async function action(args: ActionFunctionArgs) {
  await requireUser(args);
  const form = await args.request.clone().formData();
  try {
    if (text(form, "new_password") !== text(form, "repeated")) {
      throw new Refusal("invalid", UNLIKE, { fields: { repeated: UNLIKE } });
    }
    const { headers } = await args.context.changePassword(args.request, form);
    return data<Answer>({ ok: true, toast: "Password changed", detail: null, errors: {} }, { headers });
  } catch (caught) {
    return refused(caught, FAILED.change);
  }
}

export const clientAction = (args: ClientActionFunctionArgs) => stayOnScreen(args, FAILED);
