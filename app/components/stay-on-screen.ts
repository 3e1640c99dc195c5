import type { ClientActionFunctionArgs } from "@remix-run/react";
import type { Answer, Fallbacks } from "#app/form";

/**
 * A call that gets no answer (no network, 10 s over, a bug) is told in the toast of its intent and leaves the screen as
 * it is; without this Remix would put its error page in the screen's place.
 */
export async function stayOnScreen(
  { request, serverAction }: ClientActionFunctionArgs,
  failed: Fallbacks,
): Promise<Answer> {
  const intent = String((await request.clone().formData()).get("intent"));
  try {
    return await serverAction<Answer>();
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown;
    return { ok: false, toast: failed[intent] ?? "", detail: null, errors: {} };
  }
}
