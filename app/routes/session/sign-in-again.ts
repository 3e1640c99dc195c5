import { data, redirectDocument, type ActionFunctionArgs } from "@remix-run/cloudflare";
import type { ClientActionFunctionArgs } from "@remix-run/react";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { refused, text, type FormAnswer } from "#app/forms/form-answer";
import { setEnded } from "#app/session/activity";

export { loader } from "./unknown";

const FAILED = { sign_in: "Login failed" };

/**
 * The sign-in of the dialog over a timed-out page. Who no longer belongs to the page's organization leaves the page: its
 * form would be saved in another one.
 */
export async function action({ context, request }: ActionFunctionArgs) {
  const form = await request.clone().formData();
  try {
    const { headers, user } = await context.signIn(form);
    if (user.current_org_id !== text(form, "org_id")) return redirectDocument("/dashboard", { headers });
    return data<FormAnswer>({ ok: true, toast: "Login successful!", detail: null, errors: {} }, { headers });
  } catch (caught) {
    return refused(caught, FAILED.sign_in);
  }
}

export async function clientAction(args: ClientActionFunctionArgs) {
  const answer = await catchNetworkError(args, FAILED);
  // Runs before the lists reload with the new session.
  if (answer.ok) setEnded(false);
  return answer;
}
