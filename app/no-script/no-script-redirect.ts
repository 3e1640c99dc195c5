import { hasDialog, pathWithoutDialog } from "#app/router/view";
import { isFormAnswer } from "#app/forms/form-answer";
import { setNoScriptFlash } from "#app/session/flash";
import { markNoScript } from "#app/no-script/no-script";

/**
 * After a form post without script: a redirect to the page that the form was opened from, with the toast's text in a
 * flash cookie. Null if the page itself has more to show, such as a field's error or a one-time password.
 */
export function noScriptRedirect(
  request: Request,
  headers: Headers,
  actionData: object | null | undefined,
): Response | null {
  const answer = Object.values(actionData ?? {}).find(isFormAnswer);
  if (request.method !== "POST" || !answer) return null;
  markNoScript(headers);
  const url = new URL(request.url);
  const isForm = hasDialog(url) || url.pathname === "/login";
  const more = answer.ok ? answer.shown_once : isForm || Object.keys(answer.errors).length > 0;
  if (more) return null;
  setNoScriptFlash(headers, answer);
  headers.set("Location", pathWithoutDialog(url));
  return new Response(null, { status: 303, headers });
}
