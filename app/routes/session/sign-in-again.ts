import { data, type ActionFunctionArgs } from "@remix-run/cloudflare";
import type { ClientActionFunctionArgs } from "@remix-run/react";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { refused, type FormAnswer } from "#app/forms/form-answer";
import { setEnded } from "#app/session/activity";

export { loader } from "./unknown";

const FAILED = { sign_in: "Login failed" };

/** Over the page whose session has timed out, which stays. */
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
  // Before the lists are loaded again, by the new session.
  if (answer.ok) setEnded(false);
  return answer;
}
