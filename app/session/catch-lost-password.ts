import type { ClientActionFunctionArgs } from "@remix-run/react";
import { catchNetworkError } from "#app/forms/catch-network-error";

/**
 * As `catchNetworkError`. A password that was changed without an answer (the intent `change`) ends this page's session, too:
 * whoever takes it for failed would sign in with the old one, or with a code that is used up.
 */
export async function catchLostPassword(args: ClientActionFunctionArgs, failed: { change: string }) {
  const answer = await catchNetworkError(args, failed);
  return "unreached" in answer && answer.toast === failed.change ? { ...answer, detail: MAY_HOLD } : answer;
}

const MAY_HOLD = "No answer came. If you are asked to sign in next, the new password holds already.";
