import { redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";
import { text } from "#app/forms/form-answer";
import { themeCookie, themeNamed } from "#app/session/theme";
import { refererPath } from "./back-with";

export { loader } from "./unknown";

/** For browsers without script; others change the page in place (layout/theme-choice.tsx). */
export async function action({ request }: ActionFunctionArgs) {
  const here = refererPath(request);
  const theme = themeNamed(text(await request.formData(), "theme"));
  return redirect(here, { headers: { "Set-Cookie": themeCookie(theme) } });
}
