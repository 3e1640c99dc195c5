import {
  isRouteErrorResponse,
  type ClientActionFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import type { FormAnswer, Fallbacks } from "#app/forms/form-answer";
import { own } from "#app/forms/own";

type Unreached = FormAnswer & { unreached: true };

/**
 * Turns a call without an answer (no network, a timeout, a bug) into the fallback toast of its intent. Otherwise Remix
 * would replace the screen with its error page.
 */
export async function catchNetworkError(
  { request, serverAction }: ClientActionFunctionArgs,
  failed: Fallbacks,
): Promise<FormAnswer | Unreached> {
  const intent = String((await request.clone().formData()).get("intent"));
  try {
    return await serverAction<FormAnswer>();
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown;
    // The server has an answer without knowing who asks: the database is away.
    const said = isRouteErrorResponse(thrown) && thrown.status === 503 ? String(thrown.data) : null;
    return { ok: false, toast: said ?? own(failed, intent) ?? "", detail: null, errors: {}, unreached: true };
  }
}

/** The answer to a form whose screen's code could not be fetched. */
export const NOT_SENT: Unreached = {
  ok: false,
  toast: "No connection to the server",
  detail: "Nothing was sent.",
  errors: {},
  unreached: true,
};

/** Skips reloading the lists, which would fail, too; the next poll shows the result of the call. */
export function wasUnreached({ actionResult }: Pick<ShouldRevalidateFunctionArgs, "actionResult">): boolean {
  return typeof actionResult === "object" && actionResult !== null && "unreached" in actionResult;
}

/** A refused or unanswered form changed nothing in the layout. */
export function wasRefused({ actionResult }: Pick<ShouldRevalidateFunctionArgs, "actionResult">): boolean {
  return typeof actionResult === "object" && actionResult !== null && actionResult.ok === false;
}
