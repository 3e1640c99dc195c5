import type { ClientActionFunctionArgs, ShouldRevalidateFunctionArgs } from "@remix-run/react";
import type { FormAnswer, Fallbacks } from "#app/forms/form-answer";

type Unreached = FormAnswer & { unreached: true };

/**
 * A call that gets no answer (no network, 10 s over, a bug) is told in the toast of its intent and leaves the screen as
 * it is; without this Remix would put its error page in the screen's place.
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
    return { ok: false, toast: failed[intent] ?? "", detail: null, errors: {}, unreached: true };
  }
}

/** Lists that are asked for now would fail as well; the next round of polling brings what has become of the call. */
export function wasUnreached({ actionResult }: Pick<ShouldRevalidateFunctionArgs, "actionResult">): boolean {
  return typeof actionResult === "object" && actionResult !== null && "unreached" in actionResult;
}

/** What was refused, or got no answer, has changed nothing that the frame shows. */
export function wasRefused({ actionResult }: Pick<ShouldRevalidateFunctionArgs, "actionResult">): boolean {
  return typeof actionResult === "object" && actionResult !== null && actionResult.ok === false;
}
