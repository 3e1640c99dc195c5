import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { text } from "#app/forms/form-answer";
import { isRefusal } from "#domain/errors";
import { logFailure } from "#app/router/log-failure";
import { requireUser } from "#app/session/session";
import type { PreviewAnswer } from "./use-preview";
import { scheduleSent } from "./schedule-sent";

export { loader } from "#app/routes/session/unknown";

/** What the form as it is typed would come to. Answers JSON; what is still missing in it is a sentence, not a failure. */
export async function action(args: ActionFunctionArgs) {
  const { services } = await requireUser(args);
  const form = await args.request.formData();
  const id = text(form, "id");
  // A title is not needed to say when lights are on.
  const title = text(form, "title").trim() || "New schedule";
  const input = { ...scheduleSent(form, Date.now()), title };
  const answer: PreviewAnswer = await services.schedules.preview(input, id === "" ? {} : { id }).then(
    (preview) => ({ preview, problem: null }),
    (caught: unknown) => {
      if (isRefusal(caught) && caught.code !== "unavailable") return { preview: null, problem: caught.detail };
      logFailure(caught);
      return { preview: null, problem: null };
    },
  );
  return Response.json(answer);
}
