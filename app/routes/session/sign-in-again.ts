import { data, type ActionFunctionArgs } from "@remix-run/cloudflare";
import type { ClientActionFunctionArgs } from "@remix-run/react";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { refused, type FormAnswer } from "#app/forms/form-answer";
import { setEnded } from "#app/session/activity";

export { loader } from "./unknown";

const FAILED = { sign_in: "Login failed" };

/** The sign-in of the dialog over a timed-out page. */
export async function action({ context, request }: ActionFunctionArgs) {
  try {
    const { headers } = await context.signIn(await request.clone().formData());
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
